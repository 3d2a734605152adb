"""The schema of release 1.0.0.

It replaces the migrations 0001 to 0009 of earlier builds; release 1.0.0 still had both. Its name stays: databases have
recorded it as applied, and `makemigrations` gives the next one a number after 0009.
"""

import django.contrib.postgres.indexes
import django.contrib.postgres.operations
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import players.naming
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        django.contrib.postgres.operations.TrigramExtension(
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('is_staff', models.BooleanField(default=False, help_text='May enter the repair pages.', verbose_name='staff')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now)),
                ('language', models.CharField(blank=True, choices=[('en-gb', 'English'), ('fr', 'French')], default='', max_length=5, verbose_name='language')),
                ('calendar_key', models.UUIDField(editable=False, null=True, unique=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('given_name', models.CharField(max_length=60, verbose_name='given name')),
                ('family_name', models.CharField(blank=True, max_length=60, verbose_name='family name')),
                ('display_name', models.CharField(blank=True, max_length=80, verbose_name='display name')),
                ('pseudonym', models.CharField(blank=True, default='', max_length=40, verbose_name='pseudonym')),
                ('public_choice', models.CharField(blank=True, choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='', help_text='Empty: as the player’s clubs say.', max_length=9, verbose_name='name for everyone')),
                ('member_choice', models.CharField(blank=True, choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='', help_text='Empty: as the player’s clubs say.', max_length=9, verbose_name='name for members')),
                ('public_default', models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='full', editable=False, max_length=9)),
                ('member_default', models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial'), ('pseudonym', 'Pseudonym')], default='full', editable=False, max_length=9)),
                ('names', players.naming.NamesField(default=players.naming.nameless, editable=False)),
                ('sort_key', models.CharField(db_index=True, editable=False, max_length=210)),
                ('member_key', models.CharField(default='', editable=False, max_length=210)),
                ('work_key', models.CharField(default='', editable=False, max_length=260)),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='player', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'player',
                'ordering': ['sort_key', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='FirstMeeting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('date', models.DateField()),
                ('first', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player')),
                ('second', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player')),
            ],
            options={
                'db_table': 'players_met',
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('micro', models.BigIntegerField()),
                ('weight', models.BigIntegerField()),
                ('tables', models.PositiveIntegerField()),
                ('dates', models.PositiveIntegerField()),
                ('opponents', models.PositiveIntegerField()),
                ('provisional', models.BooleanField()),
                ('last_date', models.DateField()),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='players.player')),
            ],
            options={
                'verbose_name': 'rating',
                'ordering': ['game', '-micro', 'player'],
            },
        ),
        migrations.CreateModel(
            name='RatingDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('date', models.DateField()),
                ('digest', models.CharField(max_length=64)),
                ('arithmetic', models.PositiveSmallIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['arithmetic'], name='rating_day_by_arithmetic')],
                'constraints': [models.UniqueConstraint(fields=('game', 'date'), name='rating_day_once_a_game')],
            },
        ),
        migrations.CreateModel(
            name='RatingRules',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(max_length=40, unique=True)),
                ('rules', models.CharField(choices=[('published', "Published by the game's author"), ('club', 'Club: small stakes')], max_length=9)),
            ],
            options={
                'verbose_name': 'rating rules',
                'verbose_name_plural': 'rating rules',
                'constraints': [models.CheckConstraint(condition=models.Q(('rules__in', ['published', 'club'])), name='rating_rules_are_known')],
            },
        ),
        migrations.CreateModel(
            name='RatingStep',
            fields=[
                ('pk', models.CompositePrimaryKey('player', 'game', 'date', blank=True, editable=False, primary_key=True, serialize=False)),
                ('micro', models.BigIntegerField()),
                ('date', models.DateField()),
                ('weight', models.PositiveIntegerField()),
                ('tables', models.PositiveIntegerField()),
                ('dates', models.PositiveSmallIntegerField()),
                ('opponents', models.PositiveSmallIntegerField()),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rating_steps', to='players.player')),
            ],
            options={
                'ordering': ['game', 'date', 'player'],
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_once'),
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
        migrations.AddConstraint(
            model_name='firstmeeting',
            constraint=models.UniqueConstraint(fields=('game', 'first', 'second'), name='met_once_a_game'),
        ),
        migrations.AddConstraint(
            model_name='firstmeeting',
            constraint=models.CheckConstraint(condition=models.Q(('first__lt', models.F('second'))), name='met_lower_id_first'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(fields=['game', '-micro'], name='rating_by_game'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('player', 'game'), name='rating_once_a_game'),
        ),
        migrations.AddIndex(
            model_name='ratingstep',
            index=django.contrib.postgres.indexes.BrinIndex(autosummarize=True, fields=['date'], name='rating_step_dates', pages_per_range=16),
        ),
    ]
