import django.core.validators
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0012_house_rules_of_evenings'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='season',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='season',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='season',
            name='delete_delete',
        ),
        migrations.AddField(
            model_name='season',
            name='planned_evenings',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='evenings of the season'),
        ),
        migrations.AddField(
            model_name='seasonevent',
            name='planned_evenings',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='evenings of the season'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='season',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_seasonevent" ("club_id", "contest_hours", "draw", "end", "end_number", "exempt_points", "fifth_rests", "founded_at", "game", "house_rules", "id", "leavers", "name", "partners", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "planned_evenings", "rounds", "standings_rules", "state", "table_sizes", "typing") VALUES (NEW."club_id", NEW."contest_hours", NEW."draw", NEW."end", NEW."end_number", NEW."exempt_points", NEW."fifth_rests", NEW."founded_at", NEW."game", NEW."house_rules", NEW."id", NEW."leavers", NEW."name", NEW."partners", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."planned_evenings", NEW."rounds", NEW."standings_rules", NEW."state", NEW."table_sizes", NEW."typing"); RETURN NULL;', hash='a3ac6a3d858ba87b6bbc6c3532721f8a3b3e6bae', operation='INSERT', pgid='pgtrigger_insert_insert_9c681', table='league_season', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='season',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "league_seasonevent" ("club_id", "contest_hours", "draw", "end", "end_number", "exempt_points", "fifth_rests", "founded_at", "game", "house_rules", "id", "leavers", "name", "partners", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "planned_evenings", "rounds", "standings_rules", "state", "table_sizes", "typing") VALUES (NEW."club_id", NEW."contest_hours", NEW."draw", NEW."end", NEW."end_number", NEW."exempt_points", NEW."fifth_rests", NEW."founded_at", NEW."game", NEW."house_rules", NEW."id", NEW."leavers", NEW."name", NEW."partners", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."planned_evenings", NEW."rounds", NEW."standings_rules", NEW."state", NEW."table_sizes", NEW."typing"); RETURN NULL;', hash='0fc7fd8967ffc66ed9d1b830230503afad94c234', operation='UPDATE', pgid='pgtrigger_update_update_3f3f7', table='league_season', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='season',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_seasonevent" ("club_id", "contest_hours", "draw", "end", "end_number", "exempt_points", "fifth_rests", "founded_at", "game", "house_rules", "id", "leavers", "name", "partners", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "planned_evenings", "rounds", "standings_rules", "state", "table_sizes", "typing") VALUES (OLD."club_id", OLD."contest_hours", OLD."draw", OLD."end", OLD."end_number", OLD."exempt_points", OLD."fifth_rests", OLD."founded_at", OLD."game", OLD."house_rules", OLD."id", OLD."leavers", OLD."name", OLD."partners", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."planned_evenings", OLD."rounds", OLD."standings_rules", OLD."state", OLD."table_sizes", OLD."typing"); RETURN NULL;', hash='46f1859fb4d74880468c8c4da8436765421478b5', operation='DELETE', pgid='pgtrigger_delete_delete_bea6e', table='league_season', when='AFTER')),
        ),
    ]
