import django.contrib.postgres.indexes
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0003_rating_step_key'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='ratingstep',
            name='rating_step_by_date',
        ),
        migrations.AddIndex(
            model_name='ratingstep',
            index=django.contrib.postgres.indexes.BrinIndex(autosummarize=True, fields=['date'], name='rating_step_dates', pages_per_range=16),
        ),
    ]
