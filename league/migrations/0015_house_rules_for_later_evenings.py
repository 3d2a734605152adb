"""House rules that change for evenings that are not planned yet."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0014_rules_drafts'),
    ]

    operations = [
        migrations.AddField(
            model_name='houseruleschange',
            name='later_only',
            field=models.BooleanField(default=False),
        ),
    ]
