"""Standings and a run's tasks say by which version of the arithmetic they are; until now there was one."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0004_deal_doubted'),
        ('players', '0002_arithmetic_version'),
    ]

    operations = [
        migrations.AddField(
            model_name='standing',
            name='arithmetic',
            field=models.PositiveSmallIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='runtask',
            name='arithmetic',
            field=models.PositiveSmallIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(fields=['arithmetic'], name='standing_by_arithmetic'),
        ),
    ]
