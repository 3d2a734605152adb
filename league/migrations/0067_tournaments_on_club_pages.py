from django.db import migrations

# As in migration 0035: note which club's pages a transaction changes. The club's page lists coming tournaments.
NOTE_CHANGES = """
CREATE FUNCTION league_tournament_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(rows.club) FROM (SELECT DISTINCT club_id AS club FROM changed) rows;
    RETURN NULL;
END $$;
CREATE TRIGGER note_insert AFTER INSERT ON league_tournament REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION league_tournament_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_tournament REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION league_tournament_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_tournament REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION league_tournament_changed();
"""
NOTE_NO_CHANGES = """
DROP TRIGGER note_insert ON league_tournament;
DROP TRIGGER note_update ON league_tournament;
DROP TRIGGER note_delete ON league_tournament;
DROP FUNCTION league_tournament_changed();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0066_tournament_play")]

    operations = [migrations.RunSQL(NOTE_CHANGES, NOTE_NO_CHANGES)]
