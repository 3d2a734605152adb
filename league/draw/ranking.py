"""A draw by ranking. No Django.

If a table has two players or two couples, the first in the ranking plays against the second, the third against the
fourth. At larger tables, the first players of the ranking share the first table: at tables of four, ranks 1 to 4.
"""

from collections.abc import Collection, Sequence
from itertools import combinations, pairwise, product
from typing import TypeAlias

from league.draw.draw_types import Pair, Wishes, ordered_pair
from league.draw.sizes import usual_size
from league.pairing.pairing import Constraints, pair_by_ranking

Group: TypeAlias = tuple[int, ...]


def group_by_ranking(
    units: Sequence[Group], sizes: Sequence[int], wishes: Wishes, earlier_meetings: Collection[Pair]
) -> list[Group]:
    """Return the players of each table. Tables of the usual size come first; within a size, the best group is first.

    `units` are single players or couples. A unit is ranked by its player's rank, or by the sum of the couple's ranks;
    players without a rank are ranked behind all others. `earlier_meetings` are pairs of players who met this evening.

    Tables of two units are paired as in a tournament. At other tables, units of near ranks change places while this
    lowers the cost: first the number of separated players who share a table, then the number of repeated meetings.
    """
    index = {player: number for number, player in enumerate(wishes.ranking)}
    ranked_units = sorted(units, key=lambda unit: sum(index.get(player, len(index)) for player in unit))
    if all(size == 2 * len(ranked_units[0]) for size in sizes):
        constraints = Constraints(
            _unit_pairs(ranked_units, earlier_meetings),
            _unit_pairs(ranked_units, wishes.separations),
            [0] * len(ranked_units),
        )
        return [
            _players_of([ranked_units[first], ranked_units[second]])
            for first, second in pair_by_ranking(constraints, 0).tables
        ]
    usual = usual_size(wishes.sizes)
    ends = [0]
    for size in sorted(sizes, key=lambda size: (size != usual, -size)):
        ends.append(ends[-1] + size // len(ranked_units[0]))
    exchanges = _Exchanges(ranked_units, list(pairwise(ends)), wishes.separations, earlier_meetings)
    for _ in ranked_units:
        if not exchanges.make_nearest_exchange():
            break
    return [_players_of(ranked_units[first:last]) for first, last in exchanges.spans]


def _players_of(units: Sequence[Group]) -> Group:
    return tuple(player for unit in units for player in unit)


def _unit_pairs(units: Sequence[Group], pairs: Collection[Pair]) -> set[Pair]:
    """Return the pairs of units (by index) that contain a pair of players from `pairs`, one player in each unit."""
    return {
        (first, second)
        for first, second in combinations(range(len(units)), 2)
        if any(ordered_pair(player, opponent) in pairs for player in units[first] for opponent in units[second])
    }


class _Exchanges:
    """Exchanges of units (players or couples) between tables. A table is a span (first index, end) of the list of
    units.
    """

    def __init__(
        self,
        units: list[Group],
        spans: Sequence[tuple[int, int]],
        separations: Collection[Pair],
        earlier_meetings: Collection[Pair],
    ) -> None:
        self.units, self.spans, self.separations, self.earlier_meetings = units, spans, separations, earlier_meetings
        self.span_of = {index: span for span in spans for index in range(*span)}

    def cost(self, *spans: tuple[int, int]) -> tuple[int, int]:
        """Return two counts for the tables at `spans` of the units: pairs of players who must not share a table, and
        pairs who have met before.
        """
        pairs = [
            ordered_pair(*pair)
            for first, last in spans
            for two_units in combinations(self.units[first:last], 2)
            for pair in product(*two_units)
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
        units = self.units
        for _, first, second in candidates:
            spans = self.span_of[first], self.span_of[second]
            before = self.cost(*spans)
            units[first], units[second] = units[second], units[first]
            if self.cost(*spans) < before:
                return True
            units[first], units[second] = units[second], units[first]
        return False
