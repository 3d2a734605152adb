"""A task of a run counts its tries and may fail alone; the run keeps what failed."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0002_paper_totals'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='runtask',
            name='done_seasons',
        ),
        migrations.AddField(
            model_name='run',
            name='failed',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='runtask',
            name='died',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='runtask',
            name='error',
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name='runtask',
            name='tries',
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
