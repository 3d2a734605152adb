"""Whether players mean to come to an evening."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0019_count_all_deals'),
        ('pghistory', '0007_auto_20250421_0444'),
        ('players', '0003_rating_step_key'),
    ]

    operations = [
        migrations.CreateModel(
            name='Intention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('comes', models.BooleanField(verbose_name='comes')),
                ('evening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='intentions', to='league.evening')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='intentions', to='players.player')),
            ],
            options={
                'verbose_name': 'intention',
                'ordering': ['player__sort_key', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='IntentionEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('comes', models.BooleanField(verbose_name='comes')),
                ('evening', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='league.evening')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='league.intention')),
                ('player', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='players.player')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddConstraint(
            model_name='intention',
            constraint=models.UniqueConstraint(fields=('evening', 'player'), name='intention_once_an_evening'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='intention',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_intentionevent" ("comes", "evening_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id") VALUES (NEW."comes", NEW."evening_id", NEW."id", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."player_id"); RETURN NULL;', hash='c457d0cb0bfa55c91fbd4acded18f81fc900ad48', operation='INSERT', pgid='pgtrigger_insert_insert_213c5', table='league_intention', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='intention',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "league_intentionevent" ("comes", "evening_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id") VALUES (NEW."comes", NEW."evening_id", NEW."id", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."player_id"); RETURN NULL;', hash='54dc86a85fb0b73a879503db5056df9fc400ee03', operation='UPDATE', pgid='pgtrigger_update_update_768a9', table='league_intention', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='intention',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_intentionevent" ("comes", "evening_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "player_id") VALUES (OLD."comes", OLD."evening_id", OLD."id", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."player_id"); RETURN NULL;', hash='b51b9ce56b71276e9c72095d3976870795c01811', operation='DELETE', pgid='pgtrigger_delete_delete_8a876', table='league_intention', when='AFTER')),
        ),
    ]
