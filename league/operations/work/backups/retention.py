"""Which backups of a folder are kept: the newest of each of the last days, weeks and months that have one.

Pure. Counts the periods that are there, not those that passed: where none was made for a year nothing goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

KEPT: tuple[tuple[int, Callable[[datetime], tuple[int, ...]]], ...] = (
    (7, lambda moment: (moment.year, moment.month, moment.day)),
    (8, lambda moment: tuple(moment.isocalendar()[:2])),
    (24, lambda moment: (moment.year, moment.month)),
)


def kept(moments: Iterable[datetime]) -> set[datetime]:
    """Return those whose backups stay."""
    newest_first = sorted(moments, reverse=True)
    found = set()
    for number, period in KEPT:
        newest = {period(moment): moment for moment in reversed(newest_first)}
        found |= {newest[each] for each in sorted(newest, reverse=True)[:number]}
    return found
