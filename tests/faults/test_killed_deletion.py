"""The deletion of a club, killed with -9 in its last statement: all of it is there, and the next one deletes it."""

from __future__ import annotations

import pytest
from django.db import OperationalError, connection, transaction

from league.actions.tests.test_club_deletion import a_whole_club, rows
from league.models import Club, Run
from league.night import runs
from league.night.clock import database_now
from league.night.tasks import delete_clubs
from tests.faults.machines import wait_for
from tests.faults.test_killed_backups import killed, started

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("faults")]

SLOW = """
    CREATE FUNCTION league_slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_sleep(60);
        RETURN OLD;
    END $$;
    CREATE TRIGGER league_slow BEFORE DELETE ON league_club FOR EACH ROW EXECUTE FUNCTION league_slow();
"""
DELETING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%league_club%'"


def deleting() -> list[int]:
    """Return the database's processes that are in the last statement of a deletion."""
    with connection.cursor() as cursor:
        cursor.execute(DELETING)
        return [pid for (pid,) in cursor.fetchall()]


@transaction.atomic
def open_run() -> None:
    """Open a run, unless it would have to wait."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '100ms'")
    runs.tick(database_now(), Run.Trigger.NIGHT)


def test_killed_deletion_deletes_nothing_and_the_next_one_all() -> None:
    club = a_whole_club()
    Club.objects.filter(pk=club.pk).update(delete_at=database_now())
    before = rows()
    with connection.cursor() as cursor:
        cursor.execute(SLOW)
    try:
        process = started("shell", "-c", "from league.night.tasks import delete_clubs; delete_clubs()")
        wait_for(deleting, "the last statement")
        with pytest.raises(OperationalError, match="lock timeout"):  # a run would have the club's people in its memory
            open_run()
        killed(process)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) pid", [deleting()])
        wait_for(lambda: not deleting(), "its end")
        assert rows() == before
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION league_slow() CASCADE")
    delete_clubs()
    assert not Club.objects.exists()
