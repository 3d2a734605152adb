"""House rules that change from an evening on: those that an evening keeps, and each change with its reason."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0011_verification'),
    ]

    operations = [
        migrations.CreateModel(
            name='HouseRulesChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('changed_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'change of house rules',
                'ordering': ['-pk'],
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='evening',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='evening',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='evening',
            name='delete_delete',
        ),
        migrations.AddField(
            model_name='evening',
            name='kept_house_rules',
            field=models.JSONField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='eveningevent',
            name='kept_house_rules',
            field=models.JSONField(editable=False, null=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "kept_house_rules", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_final", "season_id", "state", "weight") VALUES (NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."kept_house_rules", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."season_final", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='a4824f0b39f8cac7dd9248bb6d0114c81dea169f', operation='INSERT', pgid='pgtrigger_insert_insert_21720', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."closed_at" IS DISTINCT FROM (NEW."closed_at") OR OLD."date" IS DISTINCT FROM (NEW."date") OR OLD."final_at" IS DISTINCT FROM (NEW."final_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."kept_house_rules" IS DISTINCT FROM (NEW."kept_house_rules") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."season_id" IS DISTINCT FROM (NEW."season_id") OR OLD."season_final" IS DISTINCT FROM (NEW."season_final") OR OLD."state" IS DISTINCT FROM (NEW."state") OR OLD."weight" IS DISTINCT FROM (NEW."weight"))', func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "kept_house_rules", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_final", "season_id", "state", "weight") VALUES (NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."kept_house_rules", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."season_final", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='0a949fb22e3ee3f00512f0935b441acd5a352280', operation='UPDATE', pgid='pgtrigger_update_update_f6af7', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "kept_house_rules", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_final", "season_id", "state", "weight") VALUES (OLD."closed_at", OLD."date", OLD."final_at", OLD."id", OLD."kept_house_rules", OLD."name", OLD."opened_at", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."season_final", OLD."season_id", OLD."state", OLD."weight"); RETURN NULL;', hash='b464e6365bec2f842019fd4811fe20265937af8e', operation='DELETE', pgid='pgtrigger_delete_delete_854ae', table='league_evening', when='AFTER')),
        ),
        migrations.AddField(
            model_name='houseruleschange',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='house_rules_changes', to='league.season'),
        ),
        migrations.AddField(
            model_name='houseruleschange',
            name='since',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.evening'),
        ),
    ]
