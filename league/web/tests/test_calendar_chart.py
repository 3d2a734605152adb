"""Geometry of calendars of evenings."""

from datetime import date

from league.web.calendar_chart import DayOfEvenings, month_calendars, year_strip


def test_days_of_a_week_are_stacked_and_counted_by_month() -> None:
    days = {date(2026, 9, 1): True, date(2026, 9, 3): False, date(2026, 11, 30): True}
    strip = year_strip({**days, date(2025, 11, 30): True}, date(2026, 11, 25))  # a year ago: no longer in the strip
    assert (strip.months[0].first, strip.months[-1].first) == (date(2025, 12, 1), date(2026, 11, 1))
    assert [month.day_count for month in strip.months[-3:]] == [2, 0, 1]
    # From 1 December 2025, 1 September is day 274: week 39, at 39 × 8 = 312; the last week is the 52nd.
    assert strip.played == "M312 9h7v7h-7zM416 9h7v7h-7z"
    assert strip.rested == "M312 1h7v7h-7z"
    assert strip.width == 53 * 8
    assert strip.day_count == 3


def test_a_strip_that_begins_in_january_has_its_twelve_months() -> None:
    strip = year_strip({}, date(2026, 12, 31))
    assert [month.first.month for month in strip.months] == list(range(1, 13))


def test_months_begin_on_their_weekday_and_days_are_as_full_as_their_share() -> None:
    """1 September 2026 is a Tuesday, 30 September a Wednesday in the fifth row."""
    days = {date(2026, 9, 1): DayOfEvenings(7, "/a", ""), date(2026, 9, 30): DayOfEvenings(28, "/b", "")}
    months = month_calendars(days, date(2026, 9, 1), date(2027, 8, 31))
    assert [month.first.month for month in months] == [9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8]
    assert [(day.x, day.y, day.heat) for day in months[0].days] == [(14, 0, 1), (28, 56, 4)]
    assert months[0].other_days.count("M") == 28
    assert months[5].other_days.count("M") == 28  # February 2027


def test_an_evening_without_players_is_in_the_calendar() -> None:
    [month] = month_calendars({date(2026, 9, 1): DayOfEvenings(0, "/a", "")}, date(2026, 9, 1), date(2026, 9, 30))
    assert [day.heat for day in month.days] == [1]
