"""A backup is due once a day, an hour after the nightly run, also after changes of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from league.actions import evenings
from league.models.check import CheckKind
from league.operations.work.backups import schedule, store
from league.operations.work.check_records import record_check
from tests.build import a_club, a_season, an_evening

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 23, 4, 30, tzinfo=UTC)  # half past five in Paris
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def a_check(ended_at: datetime, *, ok: bool = True) -> None:
    record_check(CheckKind.BACKUP, now=ended_at, ok=ok)


def test_one_is_due_at_first_and_each_day_from_five_on() -> None:
    assert schedule.backup_is_due(NOW)
    a_check(NOW)
    assert not schedule.backup_is_due(NOW + 23 * HOUR)
    assert schedule.backup_is_due(NOW + 23.5 * HOUR)


def test_a_machine_that_was_off_makes_up_for_it() -> None:
    a_check(NOW - 3 * DAY)
    assert schedule.backup_is_due(NOW + 9 * HOUR)


def test_one_that_failed_is_tried_again_after_an_hour() -> None:
    a_check(NOW, ok=False)
    assert not schedule.backup_is_due(NOW + 0.9 * HOUR)
    assert schedule.backup_is_due(NOW + HOUR)


def test_a_clock_that_ran_ahead_puts_nothing_off() -> None:
    a_check(NOW + 400 * DAY)
    a_check(NOW + 400 * DAY, ok=False)
    assert schedule.backup_is_due(NOW)


@pytest.mark.parametrize(
    ("now", "hour"),
    [
        (datetime(2026, 3, 29, 2, 59, tzinfo=UTC), datetime(2026, 3, 28, 4, tzinfo=UTC)),  # before five, summer time
        (datetime(2026, 3, 29, 3, tzinfo=UTC), datetime(2026, 3, 29, 3, tzinfo=UTC)),
        (datetime(2026, 10, 25, 3, 59, tzinfo=UTC), datetime(2026, 10, 24, 3, tzinfo=UTC)),
        (datetime(2026, 10, 25, 4, tzinfo=UTC), datetime(2026, 10, 25, 4, tzinfo=UTC)),
    ],
)
def test_summer_time_begins_and_ends(now: datetime, hour: datetime) -> None:
    assert schedule.last_backup_due_at(now) == hour


@pytest.mark.parametrize("days", range(7))
def test_a_drill_is_due_each_sunday_from_seven_on(days: int) -> None:
    sunday = datetime(2026, 11, 22, 6, tzinfo=UTC)  # seven in Paris
    now = sunday + days * DAY + HOUR
    assert schedule.last_drill_due_at(now) == sunday
    assert schedule.last_drill_due_at(sunday - HOUR) == sunday - 7 * DAY
    assert schedule.drill_is_due(now)
    record_check(CheckKind.DRILL, now=sunday, ok=True)
    assert not schedule.drill_is_due(now)
    assert schedule.drill_is_due(sunday + 7 * DAY)


def a_backup(began_at: datetime, *, ok: bool = True) -> None:
    """Have a backup that took a minute."""
    summary = f"{began_at.strftime(store.BACKUP_NAME_FORMAT)} (5 bytes)" if ok else "pg_dump: no"
    record_check(CheckKind.BACKUP, now=began_at + timedelta(minutes=1), ok=ok, summary=summary)


def an_evening_closed(closed_at: datetime) -> None:
    evenings.close(an_evening(a_season(a_club())).pk, now=closed_at)


def test_a_closed_evening_has_a_backup_an_hour_after_the_last_one() -> None:
    a_backup(NOW)
    assert not schedule.evening_backup_is_due(NOW + 2 * HOUR)
    an_evening_closed(NOW + timedelta(seconds=30))  # the running backup does not have it
    assert not schedule.evening_backup_is_due(NOW + 0.9 * HOUR)
    assert schedule.evening_backup_is_due(NOW + HOUR)
    a_backup(NOW + HOUR)
    an_evening_closed(NOW + 1.5 * HOUR)
    assert not schedule.evening_backup_is_due(NOW + 1.9 * HOUR)
    assert schedule.evening_backup_is_due(NOW + 2 * HOUR)


def test_a_backup_after_an_evening_that_failed_is_tried_again_after_an_hour() -> None:
    a_backup(NOW)
    an_evening_closed(NOW + HOUR)
    a_backup(NOW + 2 * HOUR, ok=False)
    assert not schedule.evening_backup_is_due(NOW + 2.9 * HOUR)
    assert schedule.evening_backup_is_due(NOW + 3.1 * HOUR)


def test_backups_after_evenings_can_be_switched_off(settings: Any) -> None:
    a_backup(NOW)
    an_evening_closed(NOW + HOUR)
    settings.BACKUP_AFTER_EVENINGS = False
    assert not schedule.evening_backup_is_due(NOW + 2 * HOUR)


def test_a_backup_into_a_file_of_its_own_does_not_count() -> None:
    record_check(CheckKind.BACKUP, now=NOW, ok=True, summary="before-v0.2.0.dump (5 bytes)")
    an_evening_closed(NOW + HOUR)
    assert not schedule.evening_backup_is_due(NOW + 2 * HOUR)
