from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0016_due_reasons'),
    ]

    operations = [
        migrations.AlterField(
            model_name='runtask',
            name='touched_at',
            field=models.DateTimeField(null=True),
        ),
    ]
