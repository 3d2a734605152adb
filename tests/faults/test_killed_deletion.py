"""The deletion of a club, killed with -9 in its last statement: all of it is there, and the next one deletes it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection, transaction

from league.actions.jobs import enqueue
from league.actions.tests.test_club_deletion import a_whole_club, rows
from league.clubs.work.kinds import CLUB_DELETION
from league.models import AuditEntry, Club, Run
from league.models.audit_entry import AuditEvent
from league.operations.work.clock import database_now
from league.operations.work.verification import verify
from league.recompute.work import runs
from tests.faults.machines import wait_for
from tests.faults.test_killed_backups import killed, started
from tests.run_jobs import run_tick

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("faults")]

SLOW = f"""
    CREATE FUNCTION league_slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_sleep(600);
        RETURN NEW;
    END $$;
    CREATE TRIGGER league_slow BEFORE INSERT ON league_auditentry FOR EACH ROW
        WHEN (NEW.event = '{AuditEvent.CLUB_DELETED}') EXECUTE FUNCTION league_slow();
"""
# Not by the statement: before it stands the list of triggers to be ignored, which fills all that PostgreSQL keeps.
DELETING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"


def deleting() -> list[int]:
    """Return the database's processes that are in the last statement of a deletion."""
    with connection.cursor() as cursor:
        cursor.execute(DELETING)
        return [pid for (pid,) in cursor.fetchall()]


def end_them() -> None:
    """End the processes of a client that is gone: asleep, they don't notice."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) pid", [deleting()])
    wait_for(lambda: not deleting(), "its end")


@pytest.fixture
def _slow() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(SLOW)
    yield
    end_them()
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION IF EXISTS league_slow() CASCADE")


@transaction.atomic
def open_run() -> None:
    """Open a run, unless it would have to wait."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '100ms'")
    runs.start_due_run(database_now(), Run.Trigger.NIGHT)


@pytest.mark.usefixtures("_slow")
def test_killed_deletion_deletes_nothing_and_the_next_one_all() -> None:
    club = a_whole_club()
    Club.objects.filter(pk=club.pk).update(delete_at=database_now())
    runs.run(Run.Trigger.NIGHT, now=database_now())
    before = rows()
    job = enqueue(CLUB_DELETION, str(club.pk), now=database_now()).pk
    process = started("shell", "-c", f"from league.operations.tasks.jobs import work_on_job; work_on_job({job})")
    try:
        wait_for(deleting, "the last statement")
        with pytest.raises(OperationalError, match="lock timeout"):  # a run would have the club's people in its memory
            open_run()
    finally:
        killed(process)
    end_them()
    assert rows() == before
    assert list(verify()) == []

    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION league_slow() CASCADE")
    run_tick(CLUB_DELETION)
    assert not Club.objects.exists()
    assert [entry.params for entry in AuditEntry.objects.filter(event=AuditEvent.CLUB_DELETED)] == [{"name": club.name}]
    runs.run(Run.Trigger.NIGHT, now=database_now())
    assert list(verify()) == []
