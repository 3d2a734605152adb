"""Note, by triggers, which club's boards a transaction changes."""

from django.db import migrations, models

# Facts: how a changed row leads to its club, `c.` being the row.
SEASON = "LEFT JOIN league_season s ON s.id = c.season_id"
EVENING = "LEFT JOIN league_evening e ON e.id = c.evening_id LEFT JOIN league_season s ON s.id = e.season_id"
OF_ROUND = "LEFT JOIN league_evening e ON e.id = r.evening_id LEFT JOIN league_season s ON s.id = e.season_id"
ROUND = f"LEFT JOIN league_round r ON r.id = c.round_id {OF_ROUND}"
OF_TABLE = f"LEFT JOIN league_round r ON r.id = t.round_id {OF_ROUND}"
TABLE = f"LEFT JOIN league_table t ON t.id = c.table_id {OF_TABLE}"
DEAL = f"LEFT JOIN league_deal d ON d.id = c.deal_id LEFT JOIN league_table t ON t.id = d.table_id {OF_TABLE}"
CLUB_OF = {
    "league_club": ("c.id", ""),
    "league_clubmark": ("c.club_id", ""),
    "league_membership": ("c.club_id", ""),
    "league_season": ("c.club_id", ""),
    "league_evening": ("s.club_id", SEASON),
    "league_adjustment": ("s.club_id", SEASON),
    "league_rulesdraft": ("s.club_id", SEASON),
    "league_houseruleschange": ("s.club_id", SEASON),
    "league_seasonclosing": ("s.club_id", SEASON),
    "league_attendance": ("s.club_id", EVENING),
    "league_intention": ("s.club_id", EVENING),
    "league_round": ("s.club_id", EVENING),
    "league_rest": ("s.club_id", ROUND),
    "league_table": ("s.club_id", ROUND),
    "league_seat": ("s.club_id", ROUND),
    "league_deal": ("s.club_id", TABLE),
    "league_score": ("s.club_id", DEAL),
    "league_contest": ("s.club_id", DEAL),
    "league_due": ("CASE WHEN c.season_id IS NULL THEN -1 ELSE s.club_id END", SEASON),
}
# People, and what is computed, many rows at once: of every club (0), or of boards of all clubs alone (-1). Their rows
# are not looked at. A new player is on no board before he has a membership or a seat.
WHOLE = {
    "players_player": ("UPDATE OR DELETE", 0),
    "players_rating": ("INSERT OR UPDATE OR DELETE", 0),
    "players_ratingstep": ("INSERT OR UPDATE OR DELETE", 0),
    "players_ratingrules": ("INSERT OR UPDATE OR DELETE", 0),
    "league_standing": ("INSERT OR UPDATE OR DELETE", 0),
    "league_playerstatistics": ("INSERT OR UPDATE OR DELETE", 0),
    "league_seasonrecord": ("INSERT OR UPDATE OR DELETE", 0),
    "league_run": ("INSERT OR UPDATE OR DELETE", -1),
}
NOTE = """
CREATE FUNCTION league_note_change(club bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO league_clubchange (club, transaction, at, stamp)
    VALUES (club, pg_current_xact_id()::text::bigint, transaction_timestamp(), gen_random_uuid())
    ON CONFLICT DO NOTHING
$$;
CREATE FUNCTION league_whole_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(TG_ARGV[0]::bigint);
    RETURN NULL;
END $$;
"""
# A row whose club can't be found any more, as it goes with its club, is of every club.
OF_ROWS = """
CREATE FUNCTION {table}_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce({club}, 0) AS club FROM changed c {joins}) found;
    RETURN NULL;
END $$;
"""
ROWS_TRIGGER = """
CREATE TRIGGER note_{name} AFTER {event} ON {table} REFERENCING {rows} TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION {table}_changed();
"""
WHOLE_TRIGGER = """
CREATE TRIGGER note_change AFTER {events} ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('{club}');
"""
EVENTS = {"insert": ("INSERT", "NEW"), "update": ("UPDATE", "NEW"), "delete": ("DELETE", "OLD")}


def making() -> str:
    """Return what makes the functions and triggers, and notes that there is something to show."""
    functions = (OF_ROWS.format(table=table, club=club, joins=joins) for table, (club, joins) in CLUB_OF.items())
    triggers = (
        ROWS_TRIGGER.format(table=table, name=name, event=event, rows=rows)
        for table in CLUB_OF
        for name, (event, rows) in EVENTS.items()
    )
    whole = (WHOLE_TRIGGER.format(table=table, events=events, club=club) for table, (events, club) in WHOLE.items())
    return NOTE + "".join((*functions, *triggers, *whole)) + "SELECT league_note_change(0);"


def undoing() -> str:
    """Return what drops them again."""
    triggers = (f"DROP TRIGGER note_{name} ON {table};" for table in CLUB_OF for name in EVENTS)
    whole = (f"DROP TRIGGER note_change ON {table};" for table in WHOLE)
    functions = (f"DROP FUNCTION {table}_changed();" for table in CLUB_OF)
    both = "DROP FUNCTION league_whole_changed(); DROP FUNCTION league_note_change;"
    return "".join((*triggers, *whole, *functions, both))


class Migration(migrations.Migration):
    dependencies = [("league", "0034_ending_triggers"), ("players", "0007_names")]

    operations = [
        migrations.CreateModel(
            name="ClubChange",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "club", "transaction", "at", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("club", models.BigIntegerField()),
                ("transaction", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("stamp", models.UUIDField()),
            ],
        ),
        migrations.RunSQL(making(), undoing()),
    ]
