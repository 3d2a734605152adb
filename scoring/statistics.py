"""What a game counts of its deals for the statistics of players: counters that add up, and what is shown of them.

Pure. A game's folder has a `statistics.py` with the value STATISTICS; a game without one shows what all games have:
deals, points, the best and the worst deal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

# What a seat adds to its player's counters, by their names: whole numbers, so that seasons add up to years.
Tally = Mapping[str, int]


class Share(NamedTuple):
    """How many of how many: the counter `part` of the counter `whole`, as a number and in percent."""

    label: str
    part: str
    whole: str


class Mean(NamedTuple):
    """How much on the average: the counter `total` divided by the counter `number`."""

    label: str
    total: str
    number: str


class Section(NamedTuple):
    """Statistics that belong together, below a title."""

    title: str
    statistics: tuple[Share | Mean, ...]


def no_tallies(deal: Any, options: Any, points: Sequence[int]) -> tuple[Tally, ...]:
    """Return empty tallies: the game counts nothing of its own."""
    return ({},) * len(points)


class Statistics(NamedTuple):
    """What a game counts and shows. Besides its own counters there are `deals` and `points` of each player."""

    # (deal, options, points by seat) -> what each seat adds
    tally: Callable[[Any, Any, Sequence[int]], Sequence[Tally]] = no_tallies
    sections: tuple[Section, ...] = ()


NO_STATISTICS = Statistics()
