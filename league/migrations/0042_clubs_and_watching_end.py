"""Note when a club is deleted, and when all addresses end at which an evening is watched."""

from django.db import migrations

NOTED = """
CREATE FUNCTION league_club_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_ending('club', OLD.id, 0, '');
    RETURN NULL;
END $$;
CREATE TRIGGER club_ends AFTER DELETE ON league_club FOR EACH ROW EXECUTE FUNCTION league_club_ends();

CREATE FUNCTION league_watching_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_ending('watched', NEW.id, 0, NEW.live_version::text);
    RETURN NULL;
END $$;
CREATE TRIGGER watching_ends AFTER UPDATE OF live_version ON league_evening
    FOR EACH ROW WHEN (NEW.live_version > OLD.live_version) EXECUTE FUNCTION league_watching_ends();
"""

NOT_NOTED = """
DROP TRIGGER club_ends ON league_club;
DROP TRIGGER watching_ends ON league_evening;
DROP FUNCTION league_club_ends(), league_watching_ends();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0041_club_deletion")]

    operations = [migrations.RunSQL(NOTED, NOT_NOTED)]
