"""A draw by ranking: the first plays against the second, the third against the fourth; at larger tables the first four
share a table. No Django.
"""

from collections.abc import Collection, Sequence
from itertools import combinations, pairwise, product
from typing import TypeAlias

from league.draw.sizes import usual_size
from league.draw.terms import Pair, Wishes, ordered_pair
from league.pairing.pairing import Constraints, pair_by_ranking

Group: TypeAlias = tuple[int, ...]


def group_by_ranking(
    units: Sequence[Group], sizes: Sequence[int], wishes: Wishes, earlier_meetings: Collection[Pair]
) -> list[Group]:
    """Return the groups of players for the tables, the best group first; tables of the usual size come before the
    others.

    `units` are players, or couples, ranked by the sum of their ranks; players without a rank come last, in the order of
    input. `earlier_meetings` are pairs of players who met this evening. Tables of two units are paired as in a
    tournament. At other tables, units are exchanged with near units of the ranking, as long as an exchange leaves fewer
    separated players together, or as many and fewer repeated meetings.
    """
    index = {player: number for number, player in enumerate(wishes.ranking)}
    row = sorted(units, key=lambda unit: sum(index.get(player, len(index)) for player in unit))
    if all(size == 2 * len(row[0]) for size in sizes):
        constraints = Constraints(
            _unit_pairs(row, earlier_meetings), _unit_pairs(row, wishes.separations), [0] * len(row)
        )
        return [_players_of([row[first], row[second]]) for first, second in pair_by_ranking(constraints, 0).tables]
    usual = usual_size(wishes.sizes)
    ends = [0]
    for size in sorted(sizes, key=lambda size: (size != usual, -size)):
        ends.append(ends[-1] + size // len(row[0]))
    exchanges = _Exchanges(row, list(pairwise(ends)), wishes.separations, earlier_meetings)
    for _ in row:
        if not exchanges.make_nearest_exchange():
            break
    return [_players_of(row[first:last]) for first, last in exchanges.spans]


def _players_of(units: Sequence[Group]) -> Group:
    return tuple(player for unit in units for player in unit)


def _unit_pairs(row: Sequence[Group], pairs: Collection[Pair]) -> set[Pair]:
    """Return the pairs of units (by index) that contain a pair of players from `pairs`, one player in each unit."""
    return {
        (first, second)
        for first, second in combinations(range(len(row)), 2)
        if any(ordered_pair(player, opponent) in pairs for player in row[first] for opponent in row[second])
    }


class _Exchanges:
    """Exchanges of units (players or couples) between tables. A table is a span (first index, end) of the list of
    units.
    """

    def __init__(
        self,
        row: list[Group],
        spans: Sequence[tuple[int, int]],
        separations: Collection[Pair],
        earlier_meetings: Collection[Pair],
    ) -> None:
        self.row, self.spans, self.separations, self.earlier_meetings = row, spans, separations, earlier_meetings
        self.span_of = {index: span for span in spans for index in range(*span)}

    def cost(self, *spans: tuple[int, int]) -> tuple[int, int]:
        """Return (number of separated pairs, number of pairs who meet again) among the players of these tables."""
        pairs = [
            ordered_pair(*pair)
            for first, last in spans
            for units in combinations(self.row[first:last], 2)
            for pair in product(*units)
        ]
        return sum(pair in self.separations for pair in pairs), sum(pair in self.earlier_meetings for pair in pairs)

    def make_nearest_exchange(self) -> bool:
        """Make the exchange of the nearest two units (players or couples) that lowers the cost of their tables. Return
        False if no exchange lowers it.
        """
        costly = [index for span in self.spans if any(self.cost(span)) for index in range(*span)]
        candidates = sorted(
            (abs(first - second), first, second)
            for first in costly
            for second in self.span_of
            if self.span_of[first] != self.span_of[second]
        )
        row = self.row
        for _, first, second in candidates:
            spans = self.span_of[first], self.span_of[second]
            before = self.cost(*spans)
            row[first], row[second] = row[second], row[first]
            if self.cost(*spans) < before:
                return True
            row[first], row[second] = row[second], row[first]
        return False
