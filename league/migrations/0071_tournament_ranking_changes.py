from django.db import migrations

# As in migration 0035: note which club's pages a transaction changes. The ranking of a tournament shows its units with
# their players, forfeits, the start of the finals, and the clubs that take part.
NOTE_CHANGES = """
CREATE OR REPLACE FUNCTION league_tournamentunit_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT DISTINCT t.club_id AS club FROM changed c JOIN league_tournament t ON t.id = c.tournament_id
    ) rows;
    RETURN NULL;
END $$;
CREATE FUNCTION league_tournamentpart_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT DISTINCT t.club_id AS club FROM changed c
        JOIN league_tournamentunit u ON u.id = c.unit_id JOIN league_tournament t ON t.id = u.tournament_id
    ) rows;
    RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION league_tournamentclub_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT club_id AS club FROM changed WHERE club_id IS NOT NULL
        UNION
        SELECT t.club_id FROM changed c JOIN league_tournament t ON t.id = c.tournament_id
    ) rows;
    RETURN NULL;
END $$;
"""
NOTE_LESS_CHANGES = """
CREATE OR REPLACE FUNCTION league_tournamentunit_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT DISTINCT t.club_id AS club FROM changed c JOIN league_tournament t ON t.id = c.tournament_id
        WHERE EXISTS (SELECT FROM league_tournamentrank r WHERE r.unit_id = c.id)
    ) rows;
    RETURN NULL;
END $$;
DROP FUNCTION league_tournamentpart_changed();
CREATE OR REPLACE FUNCTION league_tournamentclub_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT DISTINCT club_id AS club FROM changed WHERE club_id IS NOT NULL
    ) rows;
    RETURN NULL;
END $$;
"""
TRIGGERS = [
    ("insert", "league_tournamentunit", "league_tournamentunit_changed"),
    ("delete", "league_tournamentunit", "league_tournamentunit_changed"),
    ("insert", "league_finals", "league_tournamentunit_changed"),  # they too have the tournament's id
    ("update", "league_finals", "league_tournamentunit_changed"),
    ("delete", "league_finals", "league_tournamentunit_changed"),
    ("insert", "league_unitplayer", "league_tournamentpart_changed"),
    ("update", "league_unitplayer", "league_tournamentpart_changed"),
    ("delete", "league_unitplayer", "league_tournamentpart_changed"),
    ("insert", "league_forfeit", "league_tournamentpart_changed"),
    ("update", "league_forfeit", "league_tournamentpart_changed"),
    ("delete", "league_forfeit", "league_tournamentpart_changed"),
]


def create_triggers() -> str:
    return "".join(
        f"CREATE TRIGGER note_{event} AFTER {event.upper()} ON {table}"
        f" REFERENCING {'OLD' if event == 'delete' else 'NEW'} TABLE AS changed"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {function}();\n"
        for event, table, function in TRIGGERS
    )


def drop_triggers() -> str:
    return "".join(f"DROP TRIGGER note_{event} ON {table};\n" for event, table, _function in TRIGGERS)


class Migration(migrations.Migration):
    dependencies = [("league", "0070_tournament_ranks")]

    operations = [
        migrations.RunSQL(NOTE_CHANGES + create_triggers(), drop_triggers() + NOTE_LESS_CHANGES),
    ]
