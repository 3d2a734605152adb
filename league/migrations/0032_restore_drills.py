

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0031_acts_stay'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='check',
            name='check_kind_is_known',
        ),
        migrations.AlterField(
            model_name='check',
            name='kind',
            field=models.CharField(choices=[('verify', 'Verify'), ('backup', 'Backup'), ('alarm', 'Alarm'), ('drill', 'Drill')], max_length=6),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['verify', 'backup', 'alarm', 'drill'])), name='check_kind_is_known'),
        ),
    ]
