"""Which backups to keep: the newest of each of the last days, weeks and months that have a backup.

Pure. Periods without a backup are not counted: if none was made for a year, none is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

PERIODS: tuple[tuple[int, Callable[[datetime], tuple[int, ...]]], ...] = (
    (7, lambda moment: (moment.year, moment.month, moment.day)),
    (8, lambda moment: tuple(moment.isocalendar()[:2])),
    (24, lambda moment: (moment.year, moment.month)),
)


def moments_to_keep(moments: Iterable[datetime]) -> set[datetime]:
    newest_first = sorted(moments, reverse=True)
    moments_kept: set[datetime] = set()
    for number, period in PERIODS:
        newest = {period(moment): moment for moment in reversed(newest_first)}
        moments_kept |= {newest[key] for key in sorted(newest, reverse=True)[:number]}
    return moments_kept
