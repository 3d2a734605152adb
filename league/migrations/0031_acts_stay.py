"""Who did what, and why, stays as it was written, like the rows of history that point to it."""

from django.db import migrations

KEPT = """
CREATE FUNCTION league_act_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF current_setting('league.history_goes', true) = 'on' THEN
            RETURN OLD;
        END IF;
    ELSIF NEW.id = OLD.id AND NEW.created_at = OLD.created_at THEN
        -- The act itself, which still goes on, may add to what it says; and an address may be forgotten.
        IF current_setting('pghistory.context_id', true) = OLD.id::text OR NEW.metadata = OLD.metadata - 'address' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'What was done stays as it was written: % of %', TG_OP, TG_TABLE_NAME;
END;
$$;
CREATE TRIGGER act_stays BEFORE UPDATE OR DELETE ON pghistory_context
    FOR EACH ROW EXECUTE FUNCTION league_act_stays();
"""

FREE = """
DROP TRIGGER act_stays ON pghistory_context;
DROP FUNCTION league_act_stays();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0030_history_append_only"),
        ("pghistory", "0007_auto_20250421_0444"),
    ]

    operations = [migrations.RunSQL(KEPT, FREE)]
