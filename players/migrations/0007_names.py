"""How people are named, to everyone and to members; until now all read the whole name, and go on doing so."""

import players.naming
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0006_user_language'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='member_choice',
            field=models.CharField(blank=True, choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='', help_text='Empty: as his clubs say.', max_length=9, verbose_name='name for members'),
        ),
        migrations.AddField(
            model_name='player',
            name='member_default',
            field=models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='full', editable=False, max_length=9),
        ),
        migrations.AddField(
            model_name='player',
            name='member_key',
            field=models.CharField(default='', editable=False, max_length=210),
        ),
        migrations.AddField(
            model_name='player',
            name='names',
            field=players.naming.NamesField(default=players.naming.nameless, editable=False),
        ),
        migrations.AddField(
            model_name='player',
            name='pseudonym',
            field=models.CharField(blank=True, default='', max_length=40, verbose_name='pseudonym'),
        ),
        migrations.AddField(
            model_name='player',
            name='public_choice',
            field=models.CharField(blank=True, choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='', help_text='Empty: as his clubs say.', max_length=9, verbose_name='name for everyone'),
        ),
        migrations.AddField(
            model_name='player',
            name='public_default',
            field=models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='full', editable=False, max_length=9),
        ),
        migrations.AddField(
            model_name='player',
            name='work_key',
            field=models.CharField(default='', editable=False, max_length=260),
        ),
        migrations.RunSQL(
            "UPDATE players_player SET names = jsonb_build_array(display_name, display_name, display_name), "
            "member_key = sort_key, work_key = sort_key",
            migrations.RunSQL.noop,
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('public_choice__in', ['', 'full', 'initial', 'pseudonym'])), name='player_public_choice_is_known'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('member_choice__in', ['', 'full', 'initial', 'pseudonym'])), name='player_member_choice_is_known'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('pseudonym', ''), _negated=True), models.Q(models.Q(('public_choice', 'pseudonym'), _negated=True), models.Q(('member_choice', 'pseudonym'), _negated=True)), _connector='OR'), name='player_pseudonym_is_there'),
        ),
    ]
