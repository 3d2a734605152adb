"""The dates of a season's evenings one year later, in the same weekly or monthly pattern."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from dateutil.relativedelta import relativedelta
from dateutil.rrule import weekday

FIFTY_TWO_WEEKS = timedelta(weeks=52)  # so that the day of the week is the same
LAST_OF_MONTH = -1  # position of a weekday that is the last one of its month, such as the last Friday


def next_year_dates(dates: Iterable[date]) -> Mapping[date, date]:
    """Return, for each date, the corresponding date one year later.

    Dates in a monthly pattern stay in it: a fourth Tuesday of a month becomes the fourth Tuesday. Other dates move by
    52 weeks.
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
    return [(day, day + FIFTY_TWO_WEEKS) for day in days]


def _common_weekday_number(days: Sequence[date]) -> int | None:
    """Return the position of the weekday in the month (4: fourth Tuesday) that all dates share, else None.

    Return LAST_OF_MONTH if all dates are the last such weekday of their months.
    """
    if len({(day.year, day.month) for day in days}) < 2:
        return None
    numbers = {_weekday_number(day) for day in days}
    if len(numbers) == 1:
        return numbers.pop()
    return LAST_OF_MONTH if all((day + timedelta(weeks=1)).month != day.month for day in days) else None


def _is_monthly(days: Sequence[date]) -> bool:
    """Return whether dates on one weekday are monthly: at most one date per month, or two positions in the month (for
    example first and third Tuesday), each on several dates, and not the fifth.

    Three or more dates at one constant interval (for example four weeks), or dates of a single month, are not monthly.
    """
    months = Counter((day.year, day.month) for day in days)
    gaps = {(later - day).days for day, later in pairwise(days)}
    if len(months) < 2 or (len(gaps) == 1 and len(days) > 2):
        return False
    numbers = Counter(map(_weekday_number, days))
    return max(months.values()) == 1 or (len(numbers) == 2 and min(numbers.values()) > 1 and 5 not in numbers)


def _weekday_number(day: date) -> int:
    return (day.day - 1) // 7 + 1


def _in_next_year(day: date, number: int) -> date:
    """Return the date one year later with the same weekday at position `number` of the month.

    If the month has no fifth such weekday, return the fourth.
    """
    first = day.replace(day=1)
    if number == LAST_OF_MONTH:
        last: date = first + relativedelta(years=1, day=31, weekday=weekday(day.weekday(), LAST_OF_MONTH))
        return last
    later: date = first + relativedelta(years=1, weekday=weekday(day.weekday(), number))
    return later if later.month == day.month else later - timedelta(weeks=1)
