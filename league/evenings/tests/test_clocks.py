"""Evenings past midnight, through both changes of the clocks, and on servers whose clock jumps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.actions import deals, evenings
from league.actions.pending_recomputes import next_nightly_run
from league.models import Deal, Evening, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.operations.work.backups.schedule import last_backup_due_at
from league.operations.work.verification import verify
from tests.build import TAKE, a_club, a_member, a_season, a_table, an_evening, sign_in

PARIS = ZoneInfo("Europe/Paris")
HOUR = timedelta(hours=1)
MOMENTS = st.integers(0, 2 * 366 * 24 * 60).map(lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + minutes * HOUR / 60)


def begun(moment: datetime) -> tuple[Evening, Table]:
    """Return an evening that was opened then, and a table of it."""
    season = a_season(a_club(time_zone="Europe/Paris"), end_number=30)
    evening = an_evening(season, EveningState.PLANNED, on=moment.date())
    evening = evenings.open(evening.pk, now=moment)
    return evening, a_table(evening)


def recorded(table: Table, now: datetime) -> Deal:
    return deals.record(table.pk, TAKE, client_key=uuid4(), now=now)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("day", "hours"),
    [
        pytest.param(datetime(2026, 11, 20, 20, tzinfo=PARIS), 6, id="winter"),
        pytest.param(datetime(2026, 10, 24, 20, tzinfo=PARIS), 9, id="two o'clock comes twice"),
        pytest.param(datetime(2027, 3, 27, 20, tzinfo=PARIS), 8, id="two o'clock never comes"),
    ],
)
def test_an_evening_past_midnight_is_one_evening(client: Client, day: datetime, hours: int) -> None:
    start = day.astimezone(UTC)
    evening, table = begun(day)
    sign_in(client, a_member(evening.season.club, Role.SECRETARY))
    moments = [start + number * HOUR / 2 for number in range(2 * hours)]
    deals_made = [recorded(table, moment) for moment in moments]
    with time_machine.travel(moments[-1], tick=False):
        assert evening in client.get(evening.season.club.get_absolute_url()).context["tonight"]
        assert client.get(reverse("league:deal-record", args=[table.pk])).status_code == 200

    closed = evenings.close(evening.pk, now=start + hours * HOUR)
    assert closed.date == day.date()
    assert [deal.number for deal in deals_made] == [*range(1, 2 * hours + 1)]
    assert closed.closed_at is not None
    assert closed.final_at == closed.closed_at + evening.season.contest_hours * HOUR  # hours that pass, not the clock's
    assert list(verify()) == []


@pytest.mark.django_db
@pytest.mark.parametrize("jump", [-400, -1, 400], ids=lambda days: f"{days} days")
def test_a_clock_that_jumps_in_the_evening_loses_nothing(jump: int) -> None:
    start = datetime(2026, 11, 20, 19, tzinfo=UTC)
    evening, table = begun(start)
    made = [recorded(table, start), recorded(table, start + timedelta(days=jump)), recorded(table, start + HOUR)]
    assert [deal.number for deal in made] == [1, 2, 3]
    revised = deals.revise(
        made[0].pk, TAKE, client_key=uuid4(), seen_version=1, now=start + timedelta(days=jump), reason="Misread"
    )
    assert revised.number == 1
    later = start + timedelta(days=jump)
    closed = evenings.close(evening.pk, now=later)
    assert (closed.state, closed.closed_at, closed.date) == (EveningState.CLOSED, later, start.date())
    assert list(verify()) == []


@given(moment=MOMENTS, hour=st.integers(0, 23))
def test_a_night_comes_each_day(moment: datetime, hour: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.NIGHT_HOUR", hour)
        coming = next_nightly_run(moment)
        assert timedelta(0) < coming - moment <= 25 * HOUR
        assert next_nightly_run(coming) - coming >= 23 * HOUR
        gone = last_backup_due_at(moment)
        assert timedelta(0) <= moment - gone <= 25 * HOUR
        assert last_backup_due_at(gone) == gone
