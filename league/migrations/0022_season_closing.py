import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0021_place_and_hour'),
    ]

    operations = [
        migrations.CreateModel(
            name='SeasonClosing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('closed_at', models.DateTimeField()),
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='closing', to='league.season')),
            ],
            options={
                'verbose_name': 'closing of a season',
                'constraints': [models.CheckConstraint(condition=models.Q(('digest', ''), _negated=True), name='season_closing_has_its_digest')],
            },
        ),
    ]
