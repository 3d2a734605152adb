"""The pairing of a tournament round: tables of two units (players, pairs or teams), and the unit that rests if their
number is odd.

Units are indexes from 0: in the order of the ranking for `pair_by_ranking`, in any order for `pair_by_lot`, and in the
order of starting numbers for `pair_by_movement`.
"""

from collections.abc import Collection, Iterable, Sequence, Set
from itertools import combinations
from random import Random
from typing import NamedTuple

import rustworkx

Index = int
Pair = tuple[Index, Index]  # the lower index first

# Random bits make the best solution unique, so that the pairing depends only on the seed.
RANDOM_BITS = 40


class Pairing(NamedTuple):
    """The pairing of a round: the two units (players, pairs or teams) of each table, and the unit that rests.

    The tables, and the two units of a table, are in the order of the units' indexes.
    """

    tables: Sequence[Pair]
    resting_unit: Index | None


class Constraints(NamedTuple):
    """The input of a pairing: pairs of units that should not meet, and the number of earlier rests of each unit.

    `earlier_meetings` are units that have met. `separations` are units that must not share a table.
    """

    earlier_meetings: Set[Pair]
    separations: Set[Pair]
    rest_counts: Sequence[int]


def pair_by_ranking(constraints: Constraints, seed: int) -> Pairing:
    """Return a pairing of units that are near in the ranking.

    If the number of units is odd, one rests: of the units with the fewest rests, the lowest in the ranking. The tables
    have the fewest separated pairs, then the fewest rematches, then the smallest sum of squared differences of ranks.
    """
    count = len(constraints.rest_counts)
    resting_unit = _resting_candidates(constraints.rest_counts)[-1] if count % 2 else None
    return _cheapest_pairing(count, resting_unit, constraints, seed, by_distance=True)


def pair_by_lot(constraints: Constraints, seed: int) -> Pairing:
    """Return a random pairing with the fewest separated pairs, then the fewest rematches.

    If the number of units is odd, one rests: a random unit of those with the fewest rests.
    """
    count = len(constraints.rest_counts)
    resting_unit = Random(seed).choice(_resting_candidates(constraints.rest_counts)) if count % 2 else None
    return _cheapest_pairing(count, resting_unit, constraints, seed, by_distance=False)


def pair_by_movement(present: Sequence[bool], round_number: int) -> Pairing:
    """Return the pairing of a fixed movement: odd starting numbers stay at their table, even numbers move up a table
    each round.

    `present` is false for units that left. Units whose opponent left play each other, the lowest numbers first. If this
    leaves one unit without an opponent, it rests.
    """
    tables_count = (len(present) + 1) // 2
    is_present = [*present, False]  # the even unit of the last table is missing if their number is odd
    tables, units_alone = list[Pair](), list[Index]()
    for table in range(tables_count):
        pair = (2 * table, 2 * ((table + 1 - round_number) % tables_count) + 1)
        units = [unit for unit in pair if is_present[unit]]
        if len(units) == 2:
            tables.append(_ordered_pair(*units))
        else:
            units_alone += units
    units_alone.sort()
    tables += zip(units_alone[::2], units_alone[1::2], strict=False)
    return Pairing(sorted(tables), units_alone[-1] if len(units_alone) % 2 else None)


def count_rematches(tables: Iterable[Pair], earlier_meetings: Collection[Pair]) -> int:
    return sum(table in earlier_meetings for table in tables)


def _ordered_pair(first: Index, second: Index) -> Pair:
    return (first, second) if first < second else (second, first)


def _resting_candidates(rest_counts: Sequence[int]) -> list[Index]:
    fewest_rests = min(rest_counts)
    return [unit for unit, number in enumerate(rest_counts) if number == fewest_rests]


def _cheapest_pairing(
    count: int, resting_unit: Index | None, constraints: Constraints, seed: int, *, by_distance: bool
) -> Pairing:
    """Return the pairing of all `count` units, except `resting_unit`, with the lowest cost.

    The cost has four parts: separated pairs, rematches, with `by_distance` the squared differences of ranks, and random
    bits. The cost of a pair is one integer, of less than 127 bits for up to some thousand units: each part is larger
    than the sum of all parts below it.
    """
    units = [unit for unit in range(count) if unit != resting_unit]
    random = Random(seed)
    tables_count = len(units) // 2
    distance_step = (tables_count + 1) << RANDOM_BITS
    rematch_step = distance_step * (tables_count * count**2 + 1)
    separated_step = rematch_step * (tables_count + 1)
    costs = {
        pair: random.getrandbits(RANDOM_BITS)
        + (distance_step * (pair[1] - pair[0]) ** 2 if by_distance else 0)
        + (rematch_step if pair in constraints.earlier_meetings else 0)
        + (separated_step if pair in constraints.separations else 0)
        for pair in combinations(units, 2)
    }
    highest_cost = max(costs.values(), default=0)
    graph = rustworkx.PyGraph[Index, int]()
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(*pair, highest_cost - cost) for pair, cost in costs.items()])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return Pairing(sorted(_ordered_pair(*pair) for pair in matching), resting_unit)
