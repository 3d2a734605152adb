"""A game's own statistics of players: counters of its deals, and the shares and means that are shown. No Django.

A game's folder may have a `statistics.py` with the value STATISTICS. All games have the number of deals, the points,
the best and the worst deal; these are not listed there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

# Increments of a player's counters, by name. They are integers, so that counters of seasons can be added exactly.
CounterIncrements = Mapping[str, int]


class Share(NamedTuple):
    """A statistic: the counter `part` divided by the counter `whole`, shown as a number and in percent."""

    label: str
    part: str
    whole: str


class Mean(NamedTuple):
    """A statistic: the counter `total` divided by the counter `number`."""

    label: str
    total: str
    number: str


class Section(NamedTuple):
    title: str
    statistics: tuple[Share | Mean, ...]


def no_increments(deal: Any, options: Any, points: Sequence[int]) -> tuple[CounterIncrements, ...]:
    return ({},) * len(points)


class Statistics(NamedTuple):
    """A game's counters, and the statistics that are computed from them. Every game also has the counters `deals` and
    `points`.
    """

    # (deal, options, points by seat) -> the increments of each seat
    count_deal: Callable[[Any, Any, Sequence[int]], Sequence[CounterIncrements]] = no_increments
    sections: tuple[Section, ...] = ()


NO_STATISTICS = Statistics()
