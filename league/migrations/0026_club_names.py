"""How a club names those who chose nothing, to everyone and to members: by their whole names, as until now."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0025_club_look'),
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
        migrations.AddField(
            model_name='club',
            name='member_names',
            field=models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial')], default='full', max_length=9, verbose_name='names for members'),
        ),
        migrations.AddField(
            model_name='club',
            name='public_names',
            field=models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial')], default='full', max_length=9, verbose_name='names for everyone'),
        ),
        migrations.AddField(
            model_name='clubevent',
            name='member_names',
            field=models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial')], default='full', max_length=9, verbose_name='names for members'),
        ),
        migrations.AddField(
            model_name='clubevent',
            name='public_names',
            field=models.CharField(choices=[('full', 'Full name'), ('initial', 'First name and initial')], default='full', max_length=9, verbose_name='names for everyone'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_clubevent" ("begins_at", "colour", "currency", "fee_guest", "fee_member", "founded_at", "id", "language", "mark", "mark_alt", "member_names", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "public", "public_names", "slug", "table_entry", "time_zone") VALUES (NEW."begins_at", NEW."colour", NEW."currency", NEW."fee_guest", NEW."fee_member", NEW."founded_at", NEW."id", NEW."language", NEW."mark", NEW."mark_alt", NEW."member_names", NEW."name", _pgh_attach_context(), NOW(), \'insert\', NEW."id", NEW."place", NEW."public", NEW."public_names", NEW."slug", NEW."table_entry", NEW."time_zone"); RETURN NULL;', hash='e5fe11d94670121e7a28547b5eb42c397e79cad8', operation='INSERT', pgid='pgtrigger_insert_insert_9c06b', table='league_club', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."begins_at" IS DISTINCT FROM (NEW."begins_at") OR OLD."colour" IS DISTINCT FROM (NEW."colour") OR OLD."currency" IS DISTINCT FROM (NEW."currency") OR OLD."fee_guest" IS DISTINCT FROM (NEW."fee_guest") OR OLD."fee_member" IS DISTINCT FROM (NEW."fee_member") OR OLD."founded_at" IS DISTINCT FROM (NEW."founded_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."language" IS DISTINCT FROM (NEW."language") OR OLD."mark" IS DISTINCT FROM (NEW."mark") OR OLD."mark_alt" IS DISTINCT FROM (NEW."mark_alt") OR OLD."member_names" IS DISTINCT FROM (NEW."member_names") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."place" IS DISTINCT FROM (NEW."place") OR OLD."public" IS DISTINCT FROM (NEW."public") OR OLD."public_names" IS DISTINCT FROM (NEW."public_names") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."table_entry" IS DISTINCT FROM (NEW."table_entry") OR OLD."time_zone" IS DISTINCT FROM (NEW."time_zone"))', func='INSERT INTO "league_clubevent" ("begins_at", "colour", "currency", "fee_guest", "fee_member", "founded_at", "id", "language", "mark", "mark_alt", "member_names", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "public", "public_names", "slug", "table_entry", "time_zone") VALUES (NEW."begins_at", NEW."colour", NEW."currency", NEW."fee_guest", NEW."fee_member", NEW."founded_at", NEW."id", NEW."language", NEW."mark", NEW."mark_alt", NEW."member_names", NEW."name", _pgh_attach_context(), NOW(), \'update\', NEW."id", NEW."place", NEW."public", NEW."public_names", NEW."slug", NEW."table_entry", NEW."time_zone"); RETURN NULL;', hash='bd7d7b97fe98f9aff37b02238e1bb24a36e6e09d', operation='UPDATE', pgid='pgtrigger_update_update_026c5', table='league_club', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='club',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "league_clubevent" ("begins_at", "colour", "currency", "fee_guest", "fee_member", "founded_at", "id", "language", "mark", "mark_alt", "member_names", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "public", "public_names", "slug", "table_entry", "time_zone") VALUES (OLD."begins_at", OLD."colour", OLD."currency", OLD."fee_guest", OLD."fee_member", OLD."founded_at", OLD."id", OLD."language", OLD."mark", OLD."mark_alt", OLD."member_names", OLD."name", _pgh_attach_context(), NOW(), \'delete\', OLD."id", OLD."place", OLD."public", OLD."public_names", OLD."slug", OLD."table_entry", OLD."time_zone"); RETURN NULL;', hash='e88f64b4071b93f7c669d016952e17807d1c89d7', operation='DELETE', pgid='pgtrigger_delete_delete_3abf9', table='league_club', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='club',
            constraint=models.CheckConstraint(condition=models.Q(('public_names__in', ['full', 'initial'])), name='club_public_names_is_known'),
        ),
        migrations.AddConstraint(
            model_name='club',
            constraint=models.CheckConstraint(condition=models.Q(('member_names__in', ['full', 'initial'])), name='club_member_names_is_known'),
        ),
    ]
