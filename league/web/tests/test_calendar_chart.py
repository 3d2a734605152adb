"""Geometry of calendars of evenings."""

from datetime import date

from league.web.calendar_chart import year_strip


def test_days_of_a_week_are_stacked_and_counted_by_month() -> None:
    days = {date(2026, 9, 1): True, date(2026, 9, 3): False, date(2026, 11, 30): True}
    strip = year_strip({**days, date(2025, 11, 30): True}, date(2026, 11, 25))  # a year ago: no longer in the strip
    assert (strip.months[0].first, strip.months[-1].first) == (date(2025, 12, 1), date(2026, 11, 1))
    assert [month.days for month in strip.months[-3:]] == [2, 0, 1]
    # From 1 December 2025, 1 September is day 274: week 39, at 39 × 8 = 312; the last week is the 52nd.
    assert strip.played == "M312 9h7v7h-7zM416 9h7v7h-7z"
    assert strip.rested == "M312 1h7v7h-7z"
    assert strip.width == 53 * 8
    assert strip.days == 3


def test_a_strip_that_begins_in_january_has_its_twelve_months() -> None:
    strip = year_strip({}, date(2026, 12, 31))
    assert [month.first.month for month in strip.months] == list(range(1, 13))
