import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0007_standing_reasons'),
        ('players', '0002_arithmetic_version'),
    ]

    operations = [
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
            name='season_final',
            field=models.BooleanField(default=False, verbose_name="the season's final"),
        ),
        migrations.AddField(
            model_name='eveningevent',
            name='season_final',
            field=models.BooleanField(default=False, verbose_name="the season's final"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_final", "season_id", "state", "weight") VALUES (NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."season_final", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='ad00fcdcea87e66a2df7831f8bd14dec52fab6c1', operation='INSERT', pgid='pgtrigger_insert_insert_21720', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."closed_at" IS DISTINCT FROM (NEW."closed_at") OR OLD."date" IS DISTINCT FROM (NEW."date") OR OLD."final_at" IS DISTINCT FROM (NEW."final_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."season_id" IS DISTINCT FROM (NEW."season_id") OR OLD."season_final" IS DISTINCT FROM (NEW."season_final") OR OLD."state" IS DISTINCT FROM (NEW."state") OR OLD."weight" IS DISTINCT FROM (NEW."weight"))', func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_final", "season_id", "state", "weight") VALUES (NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."season_final", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='e45a92e38752d01065b0a5df02bee35b7d53a95a', operation='UPDATE', pgid='pgtrigger_update_update_f6af7', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("closed_at", "date", "final_at", "id", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "season_final", "season_id", "state", "weight") VALUES (OLD."closed_at", OLD."date", OLD."final_at", OLD."id", OLD."name", OLD."opened_at", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."season_final", OLD."season_id", OLD."state", OLD."weight"); RETURN NULL;', hash='f84367695f1dab10e24617bbb97eb1b7dfca6037', operation='DELETE', pgid='pgtrigger_delete_delete_854ae', table='league_evening', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='evening',
            constraint=models.UniqueConstraint(condition=models.Q(('season_final', True)), fields=('season',), name='evening_one_final'),
        ),
    ]
