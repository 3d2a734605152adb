"""Which backups stay: 7 days, 8 weeks, 24 months."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from league.operations.work.backups.store import times_to_keep

START = datetime(2026, 11, 23, 5, tzinfo=UTC)  # a Monday
MOMENTS = st.lists(st.integers(0, 90_000), max_size=60).map(lambda hours: [START - timedelta(hours=h) for h in hours])


def nights(count: int) -> list[datetime]:
    return [START - timedelta(days=day) for day in range(count)]


def test_three_years_of_nights_leave_days_weeks_and_months() -> None:
    kept_moments = sorted(times_to_keep(nights(3 * 365)), reverse=True)
    assert kept_moments[:7] == nights(7)
    sundays = [START - timedelta(days=1 + 7 * week) for week in range(7)]
    months = [datetime(2026, 10, 31, 5, tzinfo=UTC), datetime(2026, 9, 30, 5, tzinfo=UTC)]
    assert set(sundays) <= set(kept_moments)
    assert set(months) <= set(kept_moments)
    assert datetime(2024, 12, 31, 5, tzinfo=UTC) in kept_moments
    assert min(kept_moments) == datetime(2024, 12, 31, 5, tzinfo=UTC)  # the 24th month
    assert len(kept_moments) <= 7 + 8 + 24


def test_the_newest_of_a_day_stays() -> None:
    morning, evening = START, START + timedelta(hours=9)
    assert times_to_keep([morning, evening]) == {evening}


def test_after_a_long_break_nothing_goes() -> None:
    before = times_to_keep(nights(400))
    assert times_to_keep({*before, START + timedelta(days=700)}) >= set(nights(6))


@given(MOMENTS)
def test_the_newest_stays_and_nothing_more_goes_the_second_time(moments: list[datetime]) -> None:
    kept_moments = times_to_keep(moments)
    assert kept_moments <= set(moments)
    assert times_to_keep(kept_moments) == kept_moments
    if moments:
        assert max(moments) in kept_moments
