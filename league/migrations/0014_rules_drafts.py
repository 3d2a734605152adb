import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0013_planned_evenings'),
    ]

    operations = [
        migrations.CreateModel(
            name='RulesDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('rules', models.JSONField(verbose_name='standings rules')),
                ('is_shown', models.BooleanField(default=False, verbose_name='shown to members')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rules_drafts', to='league.season')),
                ('written_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'draft of rules',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('season', 'name'), name='rules_draft_name_once_a_season')],
            },
        ),
    ]
