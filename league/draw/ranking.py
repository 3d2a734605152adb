"""A round by ranking: first against second, third against fourth, or the first four at one table. Pure."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TypeAlias

from league.draw.sizes import usual_size
from league.draw.terms import Pair, Wishes, ordered

Group: TypeAlias = tuple[int, ...]


def by_ranking(units: Sequence[Group], sizes: Sequence[int], wishes: Wishes) -> list[Group]:
    """Return groups of players for tables, best first, those of the usual size before the others.

    `units` are players, or couples, who are ranked by the sum of their places; who has no place yet comes last, in the
    order given. Two who are to be kept apart are: with the exchange that moves people least in the ranking.
    """
    place = {player: number for number, player in enumerate(wishes.ranking)}
    row = sorted(units, key=lambda unit: sum(place.get(player, len(place)) for player in unit))
    usual = usual_size(wishes.sizes)
    ends = [0]
    for size in sorted(sizes, key=lambda size: (size != usual, -size)):
        ends.append(ends[-1] + size // len(row[0]))
    spans = list(pairwise(ends))
    for _ in row:
        if not _parted(row, spans, wishes.apart):
            break
    return [_players(row[first:last]) for first, last in spans]


def _players(units: Sequence[Group]) -> Group:
    return tuple(player for unit in units for player in unit)


def _clashes(units: Sequence[Group], apart: Collection[Pair]) -> int:
    """Return how many pairs of a table are to be kept apart."""
    players = _players(units)
    return sum(ordered(one, other) in apart for index, one in enumerate(players) for other in players[index + 1 :])


def _parted(row: list[Group], spans: Sequence[tuple[int, int]], apart: Collection[Pair]) -> bool:
    """Make the nearest exchange between two tables that leaves fewer clashes; False if there is none or no clash."""
    table = {place: span for span in spans for place in range(*span)}
    clashing = [place for span in spans if _clashes(row[slice(*span)], apart) for place in range(*span)]
    ways = sorted((abs(one - other), one, other) for one in clashing for other in table if table[one] != table[other])
    for _, one, other in ways:
        here, there = slice(*table[one]), slice(*table[other])
        before = _clashes(row[here], apart) + _clashes(row[there], apart)
        row[one], row[other] = row[other], row[one]
        if _clashes(row[here], apart) + _clashes(row[there], apart) < before:
            return True
        row[one], row[other] = row[other], row[one]
    return False
