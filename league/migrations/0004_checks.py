from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0003_evening_desk'),
    ]

    operations = [
        migrations.CreateModel(
            name='Check',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('verify', 'Verify'), ('backup', 'Backup'), ('alarm', 'Alarm')], max_length=6)),
                ('ended_at', models.DateTimeField()),
                ('ok', models.BooleanField()),
                ('found', models.PositiveIntegerField(default=0)),
                ('summary', models.TextField(blank=True)),
            ],
            options={
                'verbose_name': 'check',
                'ordering': ['-ended_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['verify', 'backup', 'alarm'])), name='check_kind_is_known')],
            },
        ),
    ]
