"""People, their logins and their ratings."""

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        TrigramExtension(),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('is_staff', models.BooleanField(default=False, help_text='May enter the repair pages.', verbose_name='staff')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('given_name', models.CharField(max_length=60, verbose_name='given name')),
                ('family_name', models.CharField(blank=True, max_length=60, verbose_name='family name')),
                ('display_name', models.CharField(blank=True, max_length=80, verbose_name='display name')),
                ('sort_key', models.CharField(db_index=True, editable=False, max_length=210)),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='player', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'player',
                'ordering': ['sort_key', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Met',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('date', models.DateField()),
                ('first', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player')),
                ('second', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player')),
            ],
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('micro', models.BigIntegerField()),
                ('weight', models.BigIntegerField()),
                ('tables', models.PositiveIntegerField()),
                ('dates', models.PositiveIntegerField()),
                ('opponents', models.PositiveIntegerField()),
                ('provisional', models.BooleanField()),
                ('last_date', models.DateField()),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='players.player')),
            ],
            options={
                'verbose_name': 'rating',
                'ordering': ['game', '-micro', 'player'],
            },
        ),
        migrations.CreateModel(
            name='RatingDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('date', models.DateField()),
                ('digest', models.CharField(max_length=64)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'date'), name='rating_day_once_a_game')],
            },
        ),
        migrations.CreateModel(
            name='RatingRules',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(max_length=40, unique=True)),
                ('rules', models.CharField(choices=[('published', "Published by the game's author"), ('club', 'Club: small stakes')], max_length=9)),
            ],
            options={
                'verbose_name': 'rating rules',
                'verbose_name_plural': 'rating rules',
                'constraints': [models.CheckConstraint(condition=models.Q(('rules__in', ['published', 'club'])), name='rating_rules_are_known')],
            },
        ),
        migrations.CreateModel(
            name='RatingStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(db_index=False, max_length=40)),
                ('date', models.DateField()),
                ('micro', models.BigIntegerField()),
                ('weight', models.BigIntegerField()),
                ('tables', models.PositiveIntegerField()),
                ('dates', models.PositiveIntegerField()),
                ('opponents', models.PositiveIntegerField()),
                ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rating_steps', to='players.player')),
            ],
            options={
                'ordering': ['game', 'date', 'player'],
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_once'),
        ),
        migrations.AddConstraint(
            model_name='met',
            constraint=models.UniqueConstraint(fields=('game', 'first', 'second'), name='met_once_a_game'),
        ),
        migrations.AddConstraint(
            model_name='met',
            constraint=models.CheckConstraint(condition=models.Q(('first__lt', models.F('second'))), name='met_lower_id_first'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(fields=['game', '-micro'], name='rating_by_game'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('player', 'game'), name='rating_once_a_game'),
        ),
        migrations.AddIndex(
            model_name='ratingstep',
            index=models.Index(fields=['game', 'date'], name='rating_step_by_date'),
        ),
        migrations.AddConstraint(
            model_name='ratingstep',
            constraint=models.UniqueConstraint(fields=('player', 'game', 'date'), name='rating_step_once_a_date'),
        ),
    ]
