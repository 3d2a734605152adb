"""The dates of a season's evenings one year later, by the pattern of its dates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from dateutil.relativedelta import relativedelta
from dateutil.rrule import weekday

A_YEAR = timedelta(weeks=52)  # the day of the week stays
LAST_OF_MONTH = -1


def next_year_dates(dates: Iterable[date]) -> Mapping[date, date]:
    """Return for each date the date one year later.

    A fourth Tuesday of a month stays a fourth Tuesday; dates at intervals of weeks move by 52 weeks.
    """
    by_weekday: dict[int, list[date]] = defaultdict(list)
    for day in sorted(set(dates)):
        by_weekday[day.weekday()].append(day)
    return {day: later for days in by_weekday.values() for day, later in _shift_by_year(days)}


def _shift_by_year(days: Sequence[date]) -> Iterable[tuple[date, date]]:
    if (number_in_month := _common_weekday_number(days)) is not None:
        return [(day, _in_next_year(day, number_in_month)) for day in days]
    if _is_monthly(days):
        return [(day, _in_next_year(day, _weekday_number(day))) for day in days]
    return [(day, day + A_YEAR) for day in days]


def _common_weekday_number(days: Sequence[date]) -> int | None:
    """Return the number of the weekday in its month if all dates have the same (LAST: all are the last), else None."""
    if len({(day.year, day.month) for day in days}) < 2:
        return None
    numbers = {_weekday_number(day) for day in days}
    if len(numbers) == 1:
        return numbers.pop()
    return LAST_OF_MONTH if all((day + timedelta(weeks=1)).month != day.month for day in days) else None


def _is_monthly(days: Sequence[date]) -> bool:
    """Return whether the dates follow months instead of weeks: one a month, or the same two in each month."""
    months = Counter((day.year, day.month) for day in days)
    gaps = {(later - day).days for day, later in pairwise(days)}
    if len(months) < 2 or (len(gaps) == 1 and len(days) > 2):
        return False
    numbers = Counter(map(_weekday_number, days))
    return max(months.values()) == 1 or (len(numbers) == 2 and min(numbers.values()) > 1 and 5 not in numbers)


def _weekday_number(day: date) -> int:
    return (day.day - 1) // 7 + 1


def _in_next_year(day: date, number: int) -> date:
    """Return the weekday with that number in the month a year later; the last one if it has no fifth."""
    first = day.replace(day=1)
    if number == LAST_OF_MONTH:
        last: date = first + relativedelta(years=1, day=31, weekday=weekday(day.weekday(), LAST_OF_MONTH))
        return last
    later: date = first + relativedelta(years=1, weekday=weekday(day.weekday(), number))
    return later if later.month == day.month else later - timedelta(weeks=1)
