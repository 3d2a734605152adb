"""A round by ranking: first against second, third against fourth, or the first four at one table. Pure."""

from collections.abc import Collection, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias

from league.draw.sizes import usual_size
from league.draw.terms import Pair, Wishes, ordered

Group: TypeAlias = tuple[int, ...]


def group_by_ranking(units: Sequence[Group], sizes: Sequence[int], wishes: Wishes) -> list[Group]:
    """Return groups of players for tables, best first, tables of the usual size before the others.

    `units` are players, or couples, ranked by the sum of their ranks; players without a rank come last, in their order
    of input. Separations are respected by the exchanges that move people least in the ranking.
    """
    index = {player: number for number, player in enumerate(wishes.ranking)}
    row = sorted(units, key=lambda unit: sum(index.get(player, len(index)) for player in unit))
    usual = usual_size(wishes.sizes)
    ends = [0]
    for size in sorted(sizes, key=lambda size: (size != usual, -size)):
        ends.append(ends[-1] + size // len(row[0]))
    spans = list(pairwise(ends))
    for _ in row:
        if not _exchange_nearest(row, spans, wishes.separations):
            break
    return [_players_of(row[first:last]) for first, last in spans]


def _players_of(units: Sequence[Group]) -> Group:
    return tuple(player for unit in units for player in unit)


def _count_clashes(units: Sequence[Group], separations: Collection[Pair]) -> int:
    return sum(ordered(*pair) in separations for pair in combinations(_players_of(units), 2))


def _exchange_nearest(row: list[Group], spans: Sequence[tuple[int, int]], separations: Collection[Pair]) -> bool:
    """Exchange between two tables, with fewer clashes after it; return False if no exchange does."""
    span_of = {index: span for span in spans for index in range(*span)}
    clashing = [index for span in spans if _count_clashes(row[slice(*span)], separations) for index in range(*span)]
    exchanges = sorted(
        (abs(first - second), first, second)
        for first in clashing
        for second in span_of
        if span_of[first] != span_of[second]
    )
    for _, first, second in exchanges:
        span, other_span = slice(*span_of[first]), slice(*span_of[second])
        before = _count_clashes(row[span], separations) + _count_clashes(row[other_span], separations)
        row[first], row[second] = row[second], row[first]
        if _count_clashes(row[span], separations) + _count_clashes(row[other_span], separations) < before:
            return True
        row[first], row[second] = row[second], row[first]
    return False
