

import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0032_restore_drills'),
    ]

    operations = [
        migrations.CreateModel(
            name='Ending',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('player', 'Player'), ('login', 'Login'), ('rights', 'Rights'), ('token', 'Token'), ('calendar', 'Calendar'), ('role', 'Role'), ('letters', 'Letters'), ('origin', 'Origin')], max_length=8)),
                ('subject', models.BigIntegerField()),
                ('club', models.BigIntegerField(default=0)),
                ('remains', models.TextField(blank=True, default='')),
                ('ended_at', models.DateTimeField()),
                ('kept', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name': 'ending',
                'indexes': [models.Index(condition=models.Q(('kept', False)), fields=['kept'], name='ending_not_kept')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'subject', 'club'), name='ending_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['player', 'login', 'rights', 'token', 'calendar', 'role', 'letters', 'origin'])), name='ending_kind_is_known')],
            },
        ),
    ]
