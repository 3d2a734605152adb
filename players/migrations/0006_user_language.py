"""The language that a person chose for the pages."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0005_calendar_key'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, choices=[('en-gb', 'English'), ('fr', 'French')], default='', max_length=5, verbose_name='language'),
        ),
    ]
