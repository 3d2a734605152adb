import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0017_tasks_not_handed_out'),
        ('players', '0003_rating_step_key'),
    ]

    operations = [
        migrations.CreateModel(
            name='PlayerStatistics',
            fields=[
                ('pk', models.CompositePrimaryKey('season', 'player', blank=True, editable=False, primary_key=True, serialize=False)),
                ('deals', models.PositiveIntegerField()),
                ('points', models.BigIntegerField()),
                ('gained', models.PositiveIntegerField()),
                ('best', models.IntegerField()),
                ('worst', models.IntegerField()),
                ('counts', models.JSONField(default=dict)),
                ('arithmetic', models.PositiveSmallIntegerField()),
                ('best_deal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.deal')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='statistics', to='players.player')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='player_statistics', to='league.season')),
                ('worst_deal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.deal')),
            ],
            options={
                'verbose_name': 'statistics',
                'ordering': ['season', 'player'],
                'indexes': [models.Index(fields=['arithmetic'], name='statistics_by_arithmetic')],
            },
        ),
    ]
