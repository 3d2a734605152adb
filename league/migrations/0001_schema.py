"""Clubs, seasons, evenings, tables, deals, standings and runs, with the triggers that keep their history."""

from django.conf import settings
from django.db import migrations, models
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.constraints
import django.db.models.deletion
import league.models.club
import league.models.evening
import pgtrigger.compiler
import pgtrigger.migrations


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ('pghistory', '0007_auto_20250421_0444'),
        ('players', '0001_schema'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.IntegerField(verbose_name='points')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('given_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'adjustment',
                'ordering': ['given_at'],
            },
        ),
        migrations.CreateModel(
            name='AdjustmentEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('points', models.IntegerField(verbose_name='points')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('given_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Apart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ],
        ),
        migrations.CreateModel(
            name='Attendance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('standing', models.CharField(choices=[('member', 'Member'), ('guest', 'Guest')], default='member', max_length=6, verbose_name='standing')),
                ('from_round', models.PositiveSmallIntegerField(default=1, verbose_name='from round')),
                ('to_round', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='to round')),
                ('fee', models.PositiveIntegerField(default=0, verbose_name='fee')),
                ('paid', models.PositiveIntegerField(default=0, verbose_name='paid')),
                ('fixed_table', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='fixed table')),
            ],
            options={
                'verbose_name': 'attendance',
                'ordering': ['player__sort_key', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='AttendanceEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('standing', models.CharField(choices=[('member', 'Member'), ('guest', 'Guest')], default='member', max_length=6, verbose_name='standing')),
                ('from_round', models.PositiveSmallIntegerField(default=1, verbose_name='from round')),
                ('to_round', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='to round')),
                ('fee', models.PositiveIntegerField(default=0, verbose_name='fee')),
                ('paid', models.PositiveIntegerField(default=0, verbose_name='paid')),
                ('fixed_table', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='fixed table')),
            ],
            options={
                'abstract': False,
            },
        ),
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
            },
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(editable=False, unique=True)),
                ('time_zone', models.CharField(default='Europe/Paris', max_length=40, validators=[league.models.club.check_time_zone], verbose_name='time zone')),
                ('language', models.CharField(choices=[('en-gb', 'English'), ('fr', 'French')], default='en-gb', max_length=5, verbose_name='language')),
                ('public', models.BooleanField(default=False, help_text="Anyone may read the club's results without an account.", verbose_name='public')),
                ('currency', models.CharField(default='EUR', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}$', 'A currency is three capital letters, for example EUR.')], verbose_name='currency')),
                ('table_entry', models.BooleanField(default=False, help_text="Whoever scans the code on a printed sheet may record that table's deals while the evening is open.", verbose_name='entry at the table')),
                ('fee_member', models.PositiveIntegerField(default=0, verbose_name='entry fee for members, in cents')),
                ('fee_guest', models.PositiveIntegerField(default=0, verbose_name='entry fee for guests, in cents')),
                ('invite_key', models.CharField(default=league.models.club.new_invite_key, editable=False, max_length=24)),
                ('founded_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'club',
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ClubEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(db_index=False, editable=False)),
                ('time_zone', models.CharField(default='Europe/Paris', max_length=40, validators=[league.models.club.check_time_zone], verbose_name='time zone')),
                ('language', models.CharField(choices=[('en-gb', 'English'), ('fr', 'French')], default='en-gb', max_length=5, verbose_name='language')),
                ('public', models.BooleanField(default=False, help_text="Anyone may read the club's results without an account.", verbose_name='public')),
                ('currency', models.CharField(default='EUR', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}$', 'A currency is three capital letters, for example EUR.')], verbose_name='currency')),
                ('table_entry', models.BooleanField(default=False, help_text="Whoever scans the code on a printed sheet may record that table's deals while the evening is open.", verbose_name='entry at the table')),
                ('fee_member', models.PositiveIntegerField(default=0, verbose_name='entry fee for members, in cents')),
                ('fee_guest', models.PositiveIntegerField(default=0, verbose_name='entry fee for guests, in cents')),
                ('founded_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Contest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=300, verbose_name='what is wrong')),
                ('raised_at', models.DateTimeField()),
                ('answer', models.CharField(blank=True, max_length=300, verbose_name='answer')),
                ('answered_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'contest',
                'ordering': ['raised_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Deal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(null=True, verbose_name='number')),
                ('facts', models.JSONField(verbose_name='facts')),
                ('rests', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), blank=True, default=list, size=None, verbose_name='sitting out')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('source', models.CharField(choices=[('desk', 'At the desk'), ('table', 'At the table')], default='desk', editable=False, max_length=5, verbose_name='entered')),
                ('checked', models.BooleanField(default=True, editable=False, verbose_name='checked')),
                ('client_key', models.UUIDField(editable=False)),
                ('change_key', models.UUIDField(editable=False, null=True)),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('voided_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'verbose_name': 'deal',
                'ordering': ['number', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='DealEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('facts', models.JSONField(verbose_name='facts')),
                ('rests', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), blank=True, default=list, size=None, verbose_name='sitting out')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('voided_at', models.DateTimeField(editable=False, null=True)),
                ('source', models.CharField(choices=[('desk', 'At the desk'), ('table', 'At the table')], default='desk', editable=False, max_length=5, verbose_name='entered')),
                ('checked', models.BooleanField(default=True, editable=False, verbose_name='checked')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Due',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(blank=True, max_length=40)),
                ('date', models.DateField(null=True)),
                ('not_before', models.DateTimeField(db_index=True)),
                ('why', models.CharField(max_length=40)),
                ('marked_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'due',
            },
        ),
        migrations.CreateModel(
            name='Evening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(verbose_name='date')),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('state', models.CharField(choices=[('planned', 'Planned'), ('open', 'Open'), ('closed', 'Closed'), ('cancelled', 'Cancelled')], default='planned', max_length=9, verbose_name='state')),
                ('weight', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='counts times')),
                ('opened_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('final_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('entry_key', models.CharField(default=league.models.evening.new_entry_key, editable=False, max_length=24)),
            ],
            options={
                'verbose_name': 'evening',
                'ordering': ['-date', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='EveningEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('date', models.DateField(verbose_name='date')),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('state', models.CharField(choices=[('planned', 'Planned'), ('open', 'Open'), ('closed', 'Closed'), ('cancelled', 'Cancelled')], default='planned', max_length=9, verbose_name='state')),
                ('weight', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='counts times')),
                ('opened_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('final_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('guest', 'Guest'), ('member', 'Member'), ('secretary', 'Secretary'), ('admin', 'Admin')], default='member', max_length=9, verbose_name='role')),
                ('since', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'membership',
                'ordering': ['player__sort_key', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='MembershipEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('role', models.CharField(choices=[('guest', 'Guest'), ('member', 'Member'), ('secretary', 'Secretary'), ('admin', 'Admin')], default='member', max_length=9, verbose_name='role')),
                ('since', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Merge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('moved', models.JSONField(default=dict)),
                ('was', models.JSONField(default=list)),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('made_at', models.DateTimeField()),
                ('undone_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'merge',
                'ordering': ['-made_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Movement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.SlugField(blank=True, db_index=False, max_length=40)),
                ('rank_before', models.PositiveIntegerField(null=True)),
                ('rank_after', models.PositiveIntegerField(null=True)),
                ('before', models.BigIntegerField(null=True)),
                ('after', models.BigIntegerField(null=True)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Rest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('resting', 'Resting'), ('exempt', 'Exempt')], default='resting', max_length=7)),
                ('points', models.IntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('seed', models.BigIntegerField(default=0)),
                ('state', models.CharField(choices=[('planned', 'Planned'), ('accepted', 'Accepted')], default='accepted', max_length=8)),
            ],
            options={
                'verbose_name': 'round',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='running', max_length=7)),
                ('trigger', models.CharField(choices=[('night', 'Night'), ('closing', 'Closing of an evening'), ('change', 'Change of rules or records'), ('button', 'By an admin'), ('command', 'By command')], max_length=7)),
                ('started_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('due', models.JSONField(default=list)),
                ('seasons', models.JSONField(default=list)),
                ('games', models.JSONField(default=list)),
                ('error', models.TextField(blank=True)),
            ],
            options={
                'verbose_name': 'run',
                'ordering': ['-started_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='RunTask',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seasons', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ('game', models.SlugField(blank=True, db_index=False, max_length=40)),
                ('since', models.DateField(null=True)),
                ('dues', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ('done_seasons', models.PositiveIntegerField(default=0)),
                ('done_until', models.DateField(null=True)),
                ('done', models.BooleanField(default=False)),
                ('result', models.JSONField(default=list)),
                ('touched_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Score',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(max_length=16)),
                ('points', models.IntegerField()),
            ],
            options={
                'verbose_name': 'score',
                'ordering': ['deal', 'seat'],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('game', models.SlugField(max_length=40, verbose_name='game')),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('closed', 'Closed')], default='draft', max_length=6, verbose_name='state')),
                ('house_rules', models.JSONField(blank=True, default=dict, verbose_name='house rules')),
                ('standings_rules', models.JSONField(blank=True, default=dict, verbose_name='standings rules')),
                ('table_sizes', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(12)]), size=None, verbose_name='table sizes')),
                ('fifth_rests', models.BooleanField(default=False, help_text='One player sits each deal out, in turn: usually the dealer.', verbose_name='one rests at the largest tables')),
                ('end', models.CharField(choices=[('deals', 'After a number of deals'), ('target', 'At a number of points, with one leader'), ('minutes', 'After a time'), ('hand', 'When the secretary says so')], default='deals', max_length=7, verbose_name='a table ends')),
                ('end_number', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='number of deals, points or minutes')),
                ('contest_hours', models.PositiveSmallIntegerField(default=48, validators=[django.core.validators.MaxValueValidator(1440)], verbose_name='hours until results are final')),
                ('rounds', models.PositiveSmallIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='rounds of an evening')),
                ('draw', models.CharField(choices=[('meet', 'Everyone meets as many others as possible'), ('ranking', 'The first round by lot, then first against second, third against fourth')], default='meet', max_length=7, verbose_name='draw')),
                ('partners', models.CharField(choices=[('round', 'Drawn anew each round'), ('evening', 'Drawn once, together all evening')], default='round', max_length=7, verbose_name='partners')),
                ('exempt_points', models.IntegerField(default=0, help_text='For who would play and finds no table.', validators=[django.core.validators.MinValueValidator(-99999), django.core.validators.MaxValueValidator(99999)], verbose_name='points of an exempt round')),
                ('leavers', models.CharField(choices=[('ranked', 'Like everyone else'), ('last', 'After those who stayed')], default='ranked', max_length=6, verbose_name='who leaves early')),
                ('founded_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'season',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='SeasonEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('game', models.SlugField(db_index=False, max_length=40, verbose_name='game')),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('closed', 'Closed')], default='draft', max_length=6, verbose_name='state')),
                ('house_rules', models.JSONField(blank=True, default=dict, verbose_name='house rules')),
                ('standings_rules', models.JSONField(blank=True, default=dict, verbose_name='standings rules')),
                ('table_sizes', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(12)]), size=None, verbose_name='table sizes')),
                ('fifth_rests', models.BooleanField(default=False, help_text='One player sits each deal out, in turn: usually the dealer.', verbose_name='one rests at the largest tables')),
                ('end', models.CharField(choices=[('deals', 'After a number of deals'), ('target', 'At a number of points, with one leader'), ('minutes', 'After a time'), ('hand', 'When the secretary says so')], default='deals', max_length=7, verbose_name='a table ends')),
                ('end_number', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='number of deals, points or minutes')),
                ('contest_hours', models.PositiveSmallIntegerField(default=48, validators=[django.core.validators.MaxValueValidator(1440)], verbose_name='hours until results are final')),
                ('rounds', models.PositiveSmallIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='rounds of an evening')),
                ('draw', models.CharField(choices=[('meet', 'Everyone meets as many others as possible'), ('ranking', 'The first round by lot, then first against second, third against fourth')], default='meet', max_length=7, verbose_name='draw')),
                ('partners', models.CharField(choices=[('round', 'Drawn anew each round'), ('evening', 'Drawn once, together all evening')], default='round', max_length=7, verbose_name='partners')),
                ('exempt_points', models.IntegerField(default=0, help_text='For who would play and finds no table.', validators=[django.core.validators.MinValueValidator(-99999), django.core.validators.MaxValueValidator(99999)], verbose_name='points of an exempt round')),
                ('leavers', models.CharField(choices=[('ranked', 'Like everyone else'), ('last', 'After those who stayed')], default='ranked', max_length=6, verbose_name='who leaves early')),
                ('founded_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('written', models.IntegerField(blank=True, null=True, verbose_name='written total')),
                ('written_deals', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='written deals')),
                ('points', models.IntegerField(default=0, editable=False)),
                ('deals', models.PositiveSmallIntegerField(default=0, editable=False)),
            ],
            options={
                'verbose_name': 'seat',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='SeatEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('written', models.IntegerField(blank=True, null=True, verbose_name='written total')),
                ('written_deals', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='written deals')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveIntegerField(null=True)),
                ('points', models.BigIntegerField()),
                ('evenings', models.PositiveIntegerField()),
                ('deals', models.PositiveIntegerField()),
                ('counted', models.JSONField(default=list)),
                ('tie_break', models.CharField(blank=True, max_length=20)),
                ('rank_before', models.PositiveIntegerField(null=True)),
            ],
            options={
                'verbose_name': 'standing',
                'ordering': [models.OrderBy(models.F('rank'), nulls_last=True), '-points', 'player__sort_key', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('size', models.PositiveSmallIntegerField(verbose_name='size')),
                ('one_rests', models.BooleanField(default=False, verbose_name='one rests')),
                ('finished', models.BooleanField(default=False, verbose_name='complete by hand')),
                ('totals_key', models.UUIDField(editable=False, null=True)),
                ('version', models.PositiveIntegerField(default=0, editable=False)),
                ('recorded', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('deals', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('complete', models.BooleanField(default=False, editable=False)),
            ],
            options={
                'verbose_name': 'table',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='TableEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('size', models.PositiveSmallIntegerField(verbose_name='size')),
                ('one_rests', models.BooleanField(default=False, verbose_name='one rests')),
                ('finished', models.BooleanField(default=False, verbose_name='complete by hand')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='adjustment',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='players.player'),
        ),
        migrations.AddField(
            model_name='adjustmentevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='adjustmentevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.adjustment'),
        ),
        migrations.AddField(
            model_name='adjustmentevent',
            name='player',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='apart',
            name='first',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='apart',
            name='second',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='attendance',
            name='partner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='attendance',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attendances', to='players.player'),
        ),
        migrations.AddField(
            model_name='attendanceevent',
            name='partner',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='attendanceevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='attendanceevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.attendance'),
        ),
        migrations.AddField(
            model_name='attendanceevent',
            name='player',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='players.player'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['verify', 'backup', 'alarm'])), name='check_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='club',
            constraint=models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='club_currency_is_a_code'),
        ),
        migrations.AddField(
            model_name='apart',
            name='club',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aparts', to='league.club'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_clubevent" ("currency", "fee_guest", "fee_member", "founded_at", "id", "language", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "public", "slug", "table_entry", "time_zone") VALUES (NEW."currency", NEW."fee_guest", NEW."fee_member", NEW."founded_at", NEW."id", NEW."language", NEW."name", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."public", NEW."slug", NEW."table_entry", NEW."time_zone"); RETURN NULL;', hash='b26eaf585e223322570727e39b3b37ea6023416f', operation='INSERT', pgid='pgtrigger_insert_insert_9c06b', table='league_club', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."currency" IS DISTINCT FROM (NEW."currency") OR OLD."fee_guest" IS DISTINCT FROM (NEW."fee_guest") OR OLD."fee_member" IS DISTINCT FROM (NEW."fee_member") OR OLD."founded_at" IS DISTINCT FROM (NEW."founded_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."language" IS DISTINCT FROM (NEW."language") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."public" IS DISTINCT FROM (NEW."public") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."table_entry" IS DISTINCT FROM (NEW."table_entry") OR OLD."time_zone" IS DISTINCT FROM (NEW."time_zone"))', func='INSERT INTO "league_clubevent" ("currency", "fee_guest", "fee_member", "founded_at", "id", "language", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "public", "slug", "table_entry", "time_zone") VALUES (NEW."currency", NEW."fee_guest", NEW."fee_member", NEW."founded_at", NEW."id", NEW."language", NEW."name", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."public", NEW."slug", NEW."table_entry", NEW."time_zone"); RETURN NULL;', hash='85374909a6495d2c515b4d3ad111bd95bba47886', operation='UPDATE', pgid='pgtrigger_update_update_026c5', table='league_club', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_clubevent" ("currency", "fee_guest", "fee_member", "founded_at", "id", "language", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "public", "slug", "table_entry", "time_zone") VALUES (OLD."currency", OLD."fee_guest", OLD."fee_member", OLD."founded_at", OLD."id", OLD."language", OLD."name", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."public", OLD."slug", OLD."table_entry", OLD."time_zone"); RETURN NULL;', hash='dabf10eaa0707b46dd372e05c0b5673721aa42d0', operation='DELETE', pgid='pgtrigger_delete_delete_3abf9', table='league_club', when='AFTER')),
        ),
        migrations.AddField(
            model_name='clubevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='clubevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.club'),
        ),
        migrations.AddField(
            model_name='contest',
            name='answered_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='contest',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='contests', to='players.player'),
        ),
        migrations.AddField(
            model_name='contest',
            name='deal',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='contests', to='league.deal'),
        ),
        migrations.AddField(
            model_name='dealevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='dealevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.deal'),
        ),
        migrations.AddField(
            model_name='attendanceevent',
            name='evening',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.evening'),
        ),
        migrations.AddField(
            model_name='attendance',
            name='evening',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to='league.evening'),
        ),
        migrations.AddField(
            model_name='eveningevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='eveningevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.evening'),
        ),
        migrations.AddField(
            model_name='membership',
            name='club',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='league.club'),
        ),
        migrations.AddField(
            model_name='membership',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='players.player'),
        ),
        migrations.AddField(
            model_name='membershipevent',
            name='club',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.club'),
        ),
        migrations.AddField(
            model_name='membershipevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='membershipevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.membership'),
        ),
        migrations.AddField(
            model_name='membershipevent',
            name='player',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='merge',
            name='gone',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='players.player'),
        ),
        migrations.AddField(
            model_name='merge',
            name='kept',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges', to='players.player'),
        ),
        migrations.AddField(
            model_name='merge',
            name='login',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='merge',
            name='made_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='movement',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='movements', to='players.player'),
        ),
        migrations.AddField(
            model_name='rest',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rests', to='players.player'),
        ),
        migrations.AddField(
            model_name='round',
            name='evening',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='league.evening'),
        ),
        migrations.AddField(
            model_name='rest',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rests', to='league.round'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('state',), name='run_one_at_a_time'),
        ),
        migrations.AddField(
            model_name='movement',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='movements', to='league.run'),
        ),
        migrations.AddField(
            model_name='runtask',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='league.run'),
        ),
        migrations.AddField(
            model_name='score',
            name='deal',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='league.deal'),
        ),
        migrations.AddField(
            model_name='season',
            name='club',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='league.club'),
        ),
        migrations.AddField(
            model_name='movement',
            name='season',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.season'),
        ),
        migrations.AddField(
            model_name='eveningevent',
            name='season',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.season'),
        ),
        migrations.AddField(
            model_name='evening',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evenings', to='league.season'),
        ),
        migrations.AddField(
            model_name='due',
            name='season',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='dues', to='league.season'),
        ),
        migrations.AddField(
            model_name='adjustmentevent',
            name='season',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.season'),
        ),
        migrations.AddField(
            model_name='adjustment',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adjustments', to='league.season'),
        ),
        migrations.AddField(
            model_name='seasonevent',
            name='club',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.club'),
        ),
        migrations.AddField(
            model_name='seasonevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='seasonevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.season'),
        ),
        migrations.AddField(
            model_name='seat',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='players.player'),
        ),
        migrations.AddField(
            model_name='seat',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='league.round'),
        ),
        migrations.AddField(
            model_name='score',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='scores', to='league.seat'),
        ),
        migrations.AddField(
            model_name='seatevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='seatevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.seat'),
        ),
        migrations.AddField(
            model_name='seatevent',
            name='player',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='seatevent',
            name='round',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.round'),
        ),
        migrations.AddField(
            model_name='standing',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='players.player'),
        ),
        migrations.AddField(
            model_name='standing',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='league.season'),
        ),
        migrations.AddField(
            model_name='table',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='league.round'),
        ),
        migrations.AddField(
            model_name='seatevent',
            name='table',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.table'),
        ),
        migrations.AddField(
            model_name='seat',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='league.table'),
        ),
        migrations.AddField(
            model_name='dealevent',
            name='table',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.table'),
        ),
        migrations.AddField(
            model_name='deal',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dealt', to='league.table'),
        ),
        migrations.AddField(
            model_name='tableevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='tableevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.table'),
        ),
        migrations.AddField(
            model_name='tableevent',
            name='round',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.round'),
        ),
        migrations.AddConstraint(
            model_name='apart',
            constraint=models.UniqueConstraint(fields=('club', 'first', 'second'), name='apart_once_a_club'),
        ),
        migrations.AddConstraint(
            model_name='apart',
            constraint=models.CheckConstraint(condition=models.Q(('first__lt', models.F('second'))), name='apart_lower_id_first'),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.UniqueConstraint(condition=models.Q(('answered_at', None)), fields=('deal', 'player'), name='contest_waiting_once_a_player'),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), ('answered_at', None)), models.Q(('answered_at__isnull', False), models.Q(('answer', ''), _negated=True)), _connector='OR'), name='contest_answered_with_words'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.UniqueConstraint(fields=('evening', 'player'), name='attendance_once_an_evening'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.CheckConstraint(condition=models.Q(('standing__in', ['member', 'guest'])), name='attendance_standing_is_known'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.CheckConstraint(condition=models.Q(('to_round', None), ('to_round__gte', models.F('from_round')), _connector='OR'), name='attendance_leaves_after_coming'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.CheckConstraint(condition=models.Q(('partner', None), models.Q(('partner', models.F('player')), _negated=True), _connector='OR'), name='attendance_partner_is_another'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attendance',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_attendanceevent" ("evening_id", "fee", "fixed_table", "from_round", "id", "paid", "partner_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "standing", "to_round") VALUES (NEW."evening_id", NEW."fee", NEW."fixed_table", NEW."from_round", NEW."id", NEW."paid", NEW."partner_id", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."player_id", NEW."standing", NEW."to_round"); RETURN NULL;', hash='bf0657d03f054729e803f59ff301b854c7e65737', operation='INSERT', pgid='pgtrigger_insert_insert_ebf86', table='league_attendance', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attendance',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "league_attendanceevent" ("evening_id", "fee", "fixed_table", "from_round", "id", "paid", "partner_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "standing", "to_round") VALUES (NEW."evening_id", NEW."fee", NEW."fixed_table", NEW."from_round", NEW."id", NEW."paid", NEW."partner_id", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."player_id", NEW."standing", NEW."to_round"); RETURN NULL;', hash='ecf3ec7648dab7c87a433c8d31eb9baee3315616', operation='UPDATE', pgid='pgtrigger_update_update_9fff4', table='league_attendance', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attendance',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_attendanceevent" ("evening_id", "fee", "fixed_table", "from_round", "id", "paid", "partner_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "standing", "to_round") VALUES (OLD."evening_id", OLD."fee", OLD."fixed_table", OLD."from_round", OLD."id", OLD."paid", OLD."partner_id", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."player_id", OLD."standing", OLD."to_round"); RETURN NULL;', hash='093b281309288bff5d3c86f51748aade18ac16bf', operation='DELETE', pgid='pgtrigger_delete_delete_66701', table='league_attendance', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('club', 'player'), name='membership_once_a_club'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['guest', 'member', 'secretary', 'admin'])), name='membership_role_is_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='membership',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_membershipevent" ("club_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "role", "since") VALUES (NEW."club_id", NEW."id", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."player_id", NEW."role", NEW."since"); RETURN NULL;', hash='ae8f0ecff6125bbbdad04c5fc50233c5fa8a9c37', operation='INSERT', pgid='pgtrigger_insert_insert_d7ea8', table='league_membership', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='membership',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "league_membershipevent" ("club_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "role", "since") VALUES (NEW."club_id", NEW."id", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."player_id", NEW."role", NEW."since"); RETURN NULL;', hash='a80a01d7d0f2572d6f8fc85eda8cd0da114fd168', operation='UPDATE', pgid='pgtrigger_update_update_a4e4e', table='league_membership', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='membership',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_membershipevent" ("club_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "role", "since") VALUES (OLD."club_id", OLD."id", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."player_id", OLD."role", OLD."since"); RETURN NULL;', hash='d0e77f063ec4ad70702ad999f1d032a0a70f23bd', operation='DELETE', pgid='pgtrigger_delete_delete_eee21', table='league_membership', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='merge',
            constraint=models.CheckConstraint(condition=models.Q(('kept', models.F('gone')), _negated=True), name='merge_of_two_records'),
        ),
        migrations.AddConstraint(
            model_name='merge',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('gone',), name='merge_once_a_record'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('evening', 'number'), name='round_number_once_an_evening'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'accepted'])), name='round_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='round_numbers_from_one'),
        ),
        migrations.AddConstraint(
            model_name='rest',
            constraint=models.UniqueConstraint(fields=('round', 'player'), name='rest_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='rest',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['resting', 'exempt'])), name='rest_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='rest',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'exempt'), ('points', 0), _connector='OR'), name='rest_points_only_when_exempt'),
        ),
        migrations.AddConstraint(
            model_name='runtask',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game', ''), ('since', None), models.Q(('seasons', []), _negated=True)), models.Q(models.Q(('game', ''), _negated=True), ('since__isnull', False)), _connector='OR'), name='run_task_is_seasons_or_a_game'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.UniqueConstraint(fields=('club', 'name'), name='season_name_once_a_club'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'closed'])), name='season_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('draw__in', ['meet', 'ranking'])), name='season_draw_is_known'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('partners__in', ['round', 'evening'])), name='season_partners_is_known'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('leavers__in', ['ranked', 'last'])), name='season_leavers_is_known'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('rounds__gte', 1)), name='season_has_rounds'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('end__in', ('deals', 'target', 'minutes')), ('end_number__gte', 1), ('end_number__isnull', False)), models.Q(('end', 'hand'), ('end_number', None)), _connector='OR'), name='season_end_has_its_number'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='season',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_seasonevent" ("club_id", "contest_hours", "draw", "end", "end_number", "exempt_points", "fifth_rests", "founded_at", "game", "house_rules", "id", "leavers", "name", "partners", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "rounds", "standings_rules", "state", "table_sizes") VALUES (NEW."club_id", NEW."contest_hours", NEW."draw", NEW."end", NEW."end_number", NEW."exempt_points", NEW."fifth_rests", NEW."founded_at", NEW."game", NEW."house_rules", NEW."id", NEW."leavers", NEW."name", NEW."partners", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."rounds", NEW."standings_rules", NEW."state", NEW."table_sizes"); RETURN NULL;', hash='4684b489a0c9d2e190a36e763e10560b91ed56e0', operation='INSERT', pgid='pgtrigger_insert_insert_9c681', table='league_season', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='season',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "league_seasonevent" ("club_id", "contest_hours", "draw", "end", "end_number", "exempt_points", "fifth_rests", "founded_at", "game", "house_rules", "id", "leavers", "name", "partners", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "rounds", "standings_rules", "state", "table_sizes") VALUES (NEW."club_id", NEW."contest_hours", NEW."draw", NEW."end", NEW."end_number", NEW."exempt_points", NEW."fifth_rests", NEW."founded_at", NEW."game", NEW."house_rules", NEW."id", NEW."leavers", NEW."name", NEW."partners", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."rounds", NEW."standings_rules", NEW."state", NEW."table_sizes"); RETURN NULL;', hash='2612b3970535d57702494b8ec7c52718e316e0ef', operation='UPDATE', pgid='pgtrigger_update_update_3f3f7', table='league_season', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='season',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_seasonevent" ("club_id", "contest_hours", "draw", "end", "end_number", "exempt_points", "fifth_rests", "founded_at", "game", "house_rules", "id", "leavers", "name", "partners", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "rounds", "standings_rules", "state", "table_sizes") VALUES (OLD."club_id", OLD."contest_hours", OLD."draw", OLD."end", OLD."end_number", OLD."exempt_points", OLD."fifth_rests", OLD."founded_at", OLD."game", OLD."house_rules", OLD."id", OLD."leavers", OLD."name", OLD."partners", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."rounds", OLD."standings_rules", OLD."state", OLD."table_sizes"); RETURN NULL;', hash='f505bf699f82f9bfce565fbbb53dc1ff55c393f6', operation='DELETE', pgid='pgtrigger_delete_delete_bea6e', table='league_season', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='movement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game', ''), ('season__isnull', False)), models.Q(('season', None), models.Q(('game', ''), _negated=True)), _connector='OR'), name='movement_is_in_a_season_or_a_game'),
        ),
        migrations.AddConstraint(
            model_name='evening',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'open', 'closed', 'cancelled'])), name='evening_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='evening',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', False), ('final_at__isnull', False), ('state', 'closed')), models.Q(models.Q(('state', 'closed'), _negated=True), ('closed_at', None), ('final_at', None)), _connector='OR'), name='evening_closed_has_its_times'),
        ),
        migrations.AddConstraint(
            model_name='evening',
            constraint=models.CheckConstraint(condition=models.Q(('weight__gte', 1)), name='evening_counts_at_least_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_id", "state", "weight") VALUES (NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='780010b3115e3c6d7a08fca07c84238a7d3398d8', operation='INSERT', pgid='pgtrigger_insert_insert_21720', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."closed_at" IS DISTINCT FROM (NEW."closed_at") OR OLD."date" IS DISTINCT FROM (NEW."date") OR OLD."final_at" IS DISTINCT FROM (NEW."final_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."season_id" IS DISTINCT FROM (NEW."season_id") OR OLD."state" IS DISTINCT FROM (NEW."state") OR OLD."weight" IS DISTINCT FROM (NEW."weight"))', func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_id", "state", "weight") VALUES (NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='55aae60425663f8afeb78527f525fc9e56d782ac', operation='UPDATE', pgid='pgtrigger_update_update_f6af7', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_id", "state", "weight") VALUES (OLD."closed_at", OLD."date", OLD."final_at", OLD."id", OLD."name", OLD."opened_at", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."season_id", OLD."state", OLD."weight"); RETURN NULL;', hash='6c57c3523f13c3b7c274e645e10203454b04f3b4', operation='DELETE', pgid='pgtrigger_delete_delete_854ae', table='league_evening', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='due',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('date', None), ('game', ''), ('season__isnull', False)), models.Q(('date__isnull', False), ('season', None), models.Q(('game', ''), _negated=True)), _connector='OR'), name='due_is_a_season_or_a_game_and_date'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_adjustmentevent" ("given_at", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "points", "reason", "season_id") VALUES (NEW."given_at", NEW."id", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."player_id", NEW."points", NEW."reason", NEW."season_id"); RETURN NULL;', hash='091b0eb286abc1350901e72d57774deb224cac18', operation='INSERT', pgid='pgtrigger_insert_insert_99396', table='league_adjustment', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "league_adjustmentevent" ("given_at", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "points", "reason", "season_id") VALUES (NEW."given_at", NEW."id", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."player_id", NEW."points", NEW."reason", NEW."season_id"); RETURN NULL;', hash='67c086ebc9d9e0dfba07cfb9f4f6a6e35818a685', operation='UPDATE', pgid='pgtrigger_update_update_5f321', table='league_adjustment', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_adjustmentevent" ("given_at", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "points", "reason", "season_id") VALUES (OLD."given_at", OLD."id", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."player_id", OLD."points", OLD."reason", OLD."season_id"); RETURN NULL;', hash='a54212d321567bfe378d8ae24fb4804aed699a35', operation='DELETE', pgid='pgtrigger_delete_delete_8d8e8', table='league_adjustment', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='score',
            constraint=models.UniqueConstraint(fields=('deal', 'seat'), name='score_once_a_deal_and_seat'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.UniqueConstraint(fields=('season', 'player'), name='standing_once_a_season'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('complete', False)), fields=['round'], name='table_incomplete'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('round', 'number'), name='table_number_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('size__gte', 2)), name='table_of_two_at_least'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('one_rests', False), ('size__gte', 4), _connector='OR'), name='table_rests_from_four'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_tableevent" ("finished", "id", "number", "one_rests", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "round_id", "size") VALUES (NEW."finished", NEW."id", NEW."number", NEW."one_rests", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."round_id", NEW."size"); RETURN NULL;', hash='abe192c5a8e6dccc25347acc7a75c030cffdfbec', operation='INSERT', pgid='pgtrigger_insert_insert_10216', table='league_table', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."finished" IS DISTINCT FROM (NEW."finished") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."one_rests" IS DISTINCT FROM (NEW."one_rests") OR OLD."round_id" IS DISTINCT FROM (NEW."round_id") OR OLD."size" IS DISTINCT FROM (NEW."size"))', func='INSERT INTO "league_tableevent" ("finished", "id", "number", "one_rests", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "round_id", "size") VALUES (NEW."finished", NEW."id", NEW."number", NEW."one_rests", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."round_id", NEW."size"); RETURN NULL;', hash='8adca5b4b3df5ffa3caf367cdf2399e71eaad285', operation='UPDATE', pgid='pgtrigger_update_update_07cfa', table='league_table', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_tableevent" ("finished", "id", "number", "one_rests", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "round_id", "size") VALUES (OLD."finished", OLD."id", OLD."number", OLD."one_rests", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."round_id", OLD."size"); RETURN NULL;', hash='43af3aae09be7a13ea838d78952075c01d1ce900', operation='DELETE', pgid='pgtrigger_delete_delete_88be1', table='league_table', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='seat_number_once_a_table'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['IMMEDIATE'], fields=('round', 'player'), name='seat_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('written', None), ('written_deals', None)), models.Q(('written__isnull', False), ('written_deals__isnull', False)), _connector='OR'), name='seat_written_with_its_deals'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seat',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_seatevent" ("id", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "round_id", "table_id", "written", "written_deals") VALUES (NEW."id", NEW."number", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."player_id", NEW."round_id", NEW."table_id", NEW."written", NEW."written_deals"); RETURN NULL;', hash='a4b49bd625875777ea17be428f27f928aeeba9a1', operation='INSERT', pgid='pgtrigger_insert_insert_398a0', table='league_seat', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seat',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."player_id" IS DISTINCT FROM (NEW."player_id") OR OLD."round_id" IS DISTINCT FROM (NEW."round_id") OR OLD."table_id" IS DISTINCT FROM (NEW."table_id") OR OLD."written" IS DISTINCT FROM (NEW."written") OR OLD."written_deals" IS DISTINCT FROM (NEW."written_deals"))', func='INSERT INTO "league_seatevent" ("id", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "round_id", "table_id", "written", "written_deals") VALUES (NEW."id", NEW."number", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."player_id", NEW."round_id", NEW."table_id", NEW."written", NEW."written_deals"); RETURN NULL;', hash='0a94f2accfa04ff8bc1906225d0b12f133b5f2d2', operation='UPDATE', pgid='pgtrigger_update_update_ebc1d', table='league_seat', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seat',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_seatevent" ("id", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id", "round_id", "table_id", "written", "written_deals") VALUES (OLD."id", OLD."number", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."player_id", OLD."round_id", OLD."table_id", OLD."written", OLD."written_deals"); RETURN NULL;', hash='e3862c2c0b78a3619ee7ade6cf4fd0e6bc0f66c2', operation='DELETE', pgid='pgtrigger_delete_delete_eb2a1', table='league_seat', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='deal',
            constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['DEFERRED'], fields=('table', 'number'), name='deal_number_once_a_table'),
        ),
        migrations.AddConstraint(
            model_name='deal',
            constraint=models.UniqueConstraint(fields=('table', 'client_key'), name='deal_key_once_a_table'),
        ),
        migrations.AddConstraint(
            model_name='deal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('number__gte', 1), ('number__isnull', False), ('voided_at', None)), models.Q(('number', None), ('voided_at__isnull', False)), _connector='OR'), name='deal_voided_has_no_number'),
        ),
        migrations.AddConstraint(
            model_name='deal',
            constraint=models.CheckConstraint(condition=models.Q(('source__in', ['desk', 'table'])), name='deal_source_is_known'),
        ),
        migrations.AddConstraint(
            model_name='deal',
            constraint=models.CheckConstraint(condition=models.Q(('source', 'table'), ('checked', True), _connector='OR'), name='deal_of_desk_is_checked'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='deal',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_dealevent" ("checked", "facts", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "rests", "source", "table_id", "version", "voided_at") VALUES (NEW."checked", NEW."facts", NEW."id", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."rests", NEW."source", NEW."table_id", NEW."version", NEW."voided_at"); RETURN NULL;', hash='93dbf9bc01cd46b9d89ce8d4375c393bcfb4c965', operation='INSERT', pgid='pgtrigger_insert_insert_33787', table='league_deal', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='deal',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."checked" IS DISTINCT FROM (NEW."checked") OR OLD."facts" IS DISTINCT FROM (NEW."facts") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."rests" IS DISTINCT FROM (NEW."rests") OR OLD."source" IS DISTINCT FROM (NEW."source") OR OLD."table_id" IS DISTINCT FROM (NEW."table_id") OR OLD."version" IS DISTINCT FROM (NEW."version") OR OLD."voided_at" IS DISTINCT FROM (NEW."voided_at"))', func='INSERT INTO "league_dealevent" ("checked", "facts", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "rests", "source", "table_id", "version", "voided_at") VALUES (NEW."checked", NEW."facts", NEW."id", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."rests", NEW."source", NEW."table_id", NEW."version", NEW."voided_at"); RETURN NULL;', hash='9568816a16faa9f95c9a10fba6e17fd3db3156ed', operation='UPDATE', pgid='pgtrigger_update_update_7a309', table='league_deal', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='deal',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_dealevent" ("checked", "facts", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "rests", "source", "table_id", "version", "voided_at") VALUES (OLD."checked", OLD."facts", OLD."id", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."rests", OLD."source", OLD."table_id", OLD."version", OLD."voided_at"); RETURN NULL;', hash='016c17a490482301d358eceec8cef40fcaa2b94f', operation='DELETE', pgid='pgtrigger_delete_delete_a886e', table='league_deal', when='AFTER')),
        ),
        # A seat's round is its table's: without this the one seat a round could be got around.
        migrations.RunSQL(
            """
            ALTER TABLE league_table ADD CONSTRAINT table_id_and_round UNIQUE (id, round_id);
            ALTER TABLE league_seat ADD CONSTRAINT seat_in_its_tables_round
                FOREIGN KEY (table_id, round_id) REFERENCES league_table (id, round_id)
                DEFERRABLE INITIALLY DEFERRED;
            """,
            """
            ALTER TABLE league_seat DROP CONSTRAINT seat_in_its_tables_round;
            ALTER TABLE league_table DROP CONSTRAINT table_id_and_round;
            """,
        ),
    ]
