"""Each date of ratings says by which version of the arithmetic it is; until now there was one."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0001_schema'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratingday',
            name='arithmetic',
            field=models.PositiveSmallIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name='ratingday',
            index=models.Index(fields=['arithmetic'], name='rating_day_by_arithmetic'),
        ),
    ]
