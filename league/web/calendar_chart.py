"""Compute the coordinates of two calendars of evenings: one year as stacked weeks, and single months.

A template draws them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

CELL, GAP = 7, 1  # pixels: side of a day's square, and distance of two squares
MONTHS: Final = 12
MIN_ROWS: Final = 2


class MonthCount(NamedTuple):
    """A month of the year strip: its first day, and the number of days with evenings."""

    first: date
    day_count: int


class YearStrip(NamedTuple):
    """The days of a year with evenings, as squares in one column per week.

    `played` and `rested` are SVG paths: days on which the player sat at a table, and days on which the player rested.
    """

    played: str
    rested: str
    months: tuple[MonthCount, ...]
    width: int
    height: int

    @property
    def day_count(self) -> int:
        return sum(month.day_count for month in self.months)


def year_strip(days: Mapping[date, bool], today: date) -> YearStrip:
    """Return the strip of twelve months, the last with `today`.

    `days` maps dates to True if the player sat at a table on that day, and to False if the player rested.
    """
    month = today.year * MONTHS + today.month - 1
    firsts = [date(number // MONTHS, number % MONTHS + 1, 1) for number in range(month - MONTHS + 1, month + 2)]
    first, end = firsts[0], firsts[-1]
    weeks: dict[int, list[bool]] = defaultdict(list)
    counts = Counter[date]()
    for day, has_played in sorted(days.items()):
        if first <= day < end:
            weeks[(day - first) // timedelta(weeks=1)].append(has_played)
            counts[day.replace(day=1)] += 1
    columns = (end - first - timedelta(days=1)) // timedelta(weeks=1) + 1
    rows = max(MIN_ROWS, *(len(week) for week in weeks.values()), MIN_ROWS)
    paths: dict[bool, list[str]] = {True: [], False: []}
    for week, kinds in weeks.items():
        for row, has_played in enumerate(kinds):
            x, y = week * (CELL + GAP), (rows - 1 - row) * (CELL + GAP) + 1
            paths[has_played].append(f"M{x} {y}h{CELL}v{CELL}h-{CELL}z")
    return YearStrip(
        "".join(paths[True]),
        "".join(paths[False]),
        tuple(MonthCount(month_first, counts[month_first]) for month_first in firsts[:-1]),
        columns * (CELL + GAP),
        rows * (CELL + GAP) + 1,
    )


DAY_SIZE: Final = 14  # pixels: side of a day's square in a month
HEAT_LEVELS: Final = 4


class DayOfEvenings(NamedTuple):
    """The evenings of a day.

    `players` is the number of players. `address` is the URL of the evening with the most players. `label` is a text
    with the day and the number of players.
    """

    players: int
    address: str
    label: str


class CalendarDay(NamedTuple):
    """A day with evenings in the calendar of a month, with the position of its square in pixels."""

    date: date
    x: int
    y: int
    heat: int  # 1 to HEAT_LEVELS, in proportion to the largest number of players
    evening: DayOfEvenings


class CalendarMonth(NamedTuple):
    """A month in rows of weeks that begin on Monday.

    `other_days` is an SVG path with a dot per day without evenings.
    """

    first: date
    days: tuple[CalendarDay, ...]
    other_days: str
    width: int = 7 * DAY_SIZE
    height: int = 6 * DAY_SIZE


def month_calendars(days: Mapping[date, DayOfEvenings], first: date, last: date) -> list[CalendarMonth]:
    """Return one calendar per month, from the month that begins on `first` to the month of `last`."""
    maximum = max((day.players for day in days.values()), default=0) or 1
    months = []
    month = first
    while month <= last:
        following = (month + timedelta(days=31)).replace(day=1)
        marks, dots = [], []
        for number in range((following - month).days):
            day = month + timedelta(days=number)
            row, column = divmod(number + month.weekday(), 7)
            x, y = column * DAY_SIZE, row * DAY_SIZE
            if day in days:
                evening = days[day]
                heat = max(-(-HEAT_LEVELS * evening.players // maximum), 1)
                marks.append(CalendarDay(day, x, y, heat, evening))
            else:
                dots.append(f"M{x + DAY_SIZE // 2} {y + DAY_SIZE // 2}h0")
        months.append(CalendarMonth(month, tuple(marks), "".join(dots)))
        month = following
    return months
