"""Where and when a club's evenings usually are, and an evening that is elsewhere or at another hour."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0020_intention'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='club',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='club',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='club',
            name='delete_delete',
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
            model_name='club',
            name='begins_at',
            field=models.TimeField(blank=True, null=True, verbose_name='usual hour'),
        ),
        migrations.AddField(
            model_name='club',
            name='place',
            field=models.CharField(blank=True, default='', max_length=120, verbose_name='usual place'),
        ),
        migrations.AddField(
            model_name='clubevent',
            name='begins_at',
            field=models.TimeField(blank=True, null=True, verbose_name='usual hour'),
        ),
        migrations.AddField(
            model_name='clubevent',
            name='place',
            field=models.CharField(blank=True, default='', max_length=120, verbose_name='usual place'),
        ),
        migrations.AddField(
            model_name='evening',
            name='begins_at',
            field=models.TimeField(blank=True, null=True, verbose_name='begins at'),
        ),
        migrations.AddField(
            model_name='evening',
            name='place',
            field=models.CharField(blank=True, default='', max_length=120, verbose_name='place'),
        ),
        migrations.AddField(
            model_name='eveningevent',
            name='begins_at',
            field=models.TimeField(blank=True, null=True, verbose_name='begins at'),
        ),
        migrations.AddField(
            model_name='eveningevent',
            name='place',
            field=models.CharField(blank=True, default='', max_length=120, verbose_name='place'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_clubevent" ("begins_at", "currency", "fee_guest", "fee_member", "founded_at", "id", "language", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "public", "slug", "table_entry", "time_zone") VALUES (NEW."begins_at", NEW."currency", NEW."fee_guest", NEW."fee_member", NEW."founded_at", NEW."id", NEW."language", NEW."name", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."place", NEW."public", NEW."slug", NEW."table_entry", NEW."time_zone"); RETURN NULL;', hash='2bb9bcbeac01d68dbc83faf4a30377f89c17ee55', operation='INSERT', pgid='pgtrigger_insert_insert_9c06b', table='league_club', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."begins_at" IS DISTINCT FROM (NEW."begins_at") OR OLD."currency" IS DISTINCT FROM (NEW."currency") OR OLD."fee_guest" IS DISTINCT FROM (NEW."fee_guest") OR OLD."fee_member" IS DISTINCT FROM (NEW."fee_member") OR OLD."founded_at" IS DISTINCT FROM (NEW."founded_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."language" IS DISTINCT FROM (NEW."language") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."place" IS DISTINCT FROM (NEW."place") OR OLD."public" IS DISTINCT FROM (NEW."public") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."table_entry" IS DISTINCT FROM (NEW."table_entry") OR OLD."time_zone" IS DISTINCT FROM (NEW."time_zone"))', func='INSERT INTO "league_clubevent" ("begins_at", "currency", "fee_guest", "fee_member", "founded_at", "id", "language", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "public", "slug", "table_entry", "time_zone") VALUES (NEW."begins_at", NEW."currency", NEW."fee_guest", NEW."fee_member", NEW."founded_at", NEW."id", NEW."language", NEW."name", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."place", NEW."public", NEW."slug", NEW."table_entry", NEW."time_zone"); RETURN NULL;', hash='e6896644b058de218190cbecb5e791c902fb976b', operation='UPDATE', pgid='pgtrigger_update_update_026c5', table='league_club', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_clubevent" ("begins_at", "currency", "fee_guest", "fee_member", "founded_at", "id", "language", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "public", "slug", "table_entry", "time_zone") VALUES (OLD."begins_at", OLD."currency", OLD."fee_guest", OLD."fee_member", OLD."founded_at", OLD."id", OLD."language", OLD."name", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."place", OLD."public", OLD."slug", OLD."table_entry", OLD."time_zone"); RETURN NULL;', hash='f5cbbbbfba4b95549c8fe37b9fe9da4ef4b46383', operation='DELETE', pgid='pgtrigger_delete_delete_3abf9', table='league_club', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("begins_at", "closed_at", "date", "final_at", "id", "kept_house_rules", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "season_final", "season_id", "state", "weight") VALUES (NEW."begins_at", NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."kept_house_rules", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."place", NEW."season_final", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='6a7aaabaac0073eb19588d60338a5236312a3eac', operation='INSERT', pgid='pgtrigger_insert_insert_21720', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."begins_at" IS DISTINCT FROM (NEW."begins_at") OR OLD."closed_at" IS DISTINCT FROM (NEW."closed_at") OR OLD."date" IS DISTINCT FROM (NEW."date") OR OLD."final_at" IS DISTINCT FROM (NEW."final_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."kept_house_rules" IS DISTINCT FROM (NEW."kept_house_rules") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."place" IS DISTINCT FROM (NEW."place") OR OLD."season_id" IS DISTINCT FROM (NEW."season_id") OR OLD."season_final" IS DISTINCT FROM (NEW."season_final") OR OLD."state" IS DISTINCT FROM (NEW."state") OR OLD."weight" IS DISTINCT FROM (NEW."weight"))', func='INSERT INTO "league_eveningevent" ("begins_at", "closed_at", "date", "final_at", "id", "kept_house_rules", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "season_final", "season_id", "state", "weight") VALUES (NEW."begins_at", NEW."closed_at", NEW."date", NEW."final_at", NEW."id", NEW."kept_house_rules", NEW."name", NEW."opened_at", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."place", NEW."season_final", NEW."season_id", NEW."state", NEW."weight"); RETURN NULL;', hash='7fcf43ac5cba3fd92575851dcf8aa5632b6297a2', operation='UPDATE', pgid='pgtrigger_update_update_f6af7', table='league_evening', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='evening',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_eveningevent" ("begins_at", "closed_at", "date", "final_at", "id", "kept_house_rules", "name", "opened_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "season_final", "season_id", "state", "weight") VALUES (OLD."begins_at", OLD."closed_at", OLD."date", OLD."final_at", OLD."id", OLD."kept_house_rules", OLD."name", OLD."opened_at", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."place", OLD."season_final", OLD."season_id", OLD."state", OLD."weight"); RETURN NULL;', hash='795650784f3652a4526a220037b7a046702933ba', operation='DELETE', pgid='pgtrigger_delete_delete_854ae', table='league_evening', when='AFTER')),
        ),
    ]
