"""Players' statistics of a game: counters of its deals, and the shares and means shown of them. Pure.

A game's folder may have a `statistics.py` with the value STATISTICS; all games have deals, points, the best and the
worst deal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

# Increments of a player's counters, by name: integers, so that seasons add up to years.
CounterIncrements = Mapping[str, int]


class Share(NamedTuple):
    """The counter `part` as a share of the counter `whole`, as a number and in percent."""

    label: str
    part: str
    whole: str


class Mean(NamedTuple):
    """The counter `total` divided by the counter `number`."""

    label: str
    total: str
    number: str


class Section(NamedTuple):
    title: str
    statistics: tuple[Share | Mean, ...]


def no_tallies(deal: Any, options: Any, points: Sequence[int]) -> tuple[CounterIncrements, ...]:
    return ({},) * len(points)


class Statistics(NamedTuple):
    """A game's counters and statistics. Every game also has the counters `deals` and `points`."""

    # (deal, options, points by seat) -> the increments of each seat
    tally: Callable[[Any, Any, Sequence[int]], Sequence[CounterIncrements]] = no_tallies
    sections: tuple[Section, ...] = ()


NO_STATISTICS = Statistics()
