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
    """The pairing of a round: the tables in the order of their better unit (player, pair or team), which is the first
    of the two, and the resting unit.
    """

    tables: Sequence[Pair]
    rests: Index | None


class Constraints(NamedTuple):
    """The pairs of units that should not meet, and the number of earlier rests of each unit."""

    earlier_meetings: Set[Pair]
    separated: Set[Pair]
    rests: Sequence[int]


def pair_by_ranking(constraints: Constraints, seed: int) -> Pairing:
    """Return a pairing of units that are neighbours in the ranking.

    If the number of units is odd, the lowest ranked unit among those with the fewest rests has the rest. The tables
    have the fewest separated pairs, then the fewest rematches, then the smallest sum of squared differences of ranks.
    """
    count = len(constraints.rests)
    rests = _resting_candidates(constraints.rests)[-1] if count % 2 else None
    return _least_cost(count, rests, constraints, seed, by_distance=True)


def pair_by_lot(constraints: Constraints, seed: int) -> Pairing:
    """Return a random pairing with the fewest separated pairs, then the fewest rematches.

    If the number of units is odd, a random unit among those with the fewest rests has the rest.
    """
    count = len(constraints.rests)
    rests = Random(seed).choice(_resting_candidates(constraints.rests)) if count % 2 else None
    return _least_cost(count, rests, constraints, seed, by_distance=False)


def pair_by_movement(present: Sequence[bool], round_number: int) -> Pairing:
    """Return the pairing of a fixed movement: odd starting numbers stay at their table, even numbers move up a table
    each round.

    `present` is false for units that left. Units whose opponent left play each other, the lowest numbers first; a unit
    that remains rests.
    """
    tables_count = (len(present) + 1) // 2
    is_present = [*present, False]  # the even unit of the last table is missing if their number is odd
    tables, alone = list[Pair](), list[Index]()
    for table in range(tables_count):
        pair = (2 * table, 2 * ((table + 1 - round_number) % tables_count) + 1)
        units = [unit for unit in pair if is_present[unit]]
        if len(units) == 2:
            tables.append(_in_order(*units))
        else:
            alone += units
    alone.sort()
    tables += zip(alone[::2], alone[1::2], strict=False)
    return Pairing(sorted(tables), alone[-1] if len(alone) % 2 else None)


def count_rematches(tables: Iterable[Pair], earlier_meetings: Collection[Pair]) -> int:
    return sum(table in earlier_meetings for table in tables)


def _in_order(first: Index, second: Index) -> Pair:
    return (first, second) if first < second else (second, first)


def _resting_candidates(rests: Sequence[int]) -> list[Index]:
    fewest = min(rests)
    return [unit for unit, number in enumerate(rests) if number == fewest]


def _least_cost(count: int, rests: Index | None, constraints: Constraints, seed: int, *, by_distance: bool) -> Pairing:
    """Return the pairing of all units, except `rests`, with the lowest cost: separated pairs, rematches, then distance.

    The costs of a pair are one integer of less than 127 bits for up to some thousand units: each part is larger than
    the sum of all parts below it.
    """
    units = [unit for unit in range(count) if unit != rests]
    random = Random(seed)
    tables_count = len(units) // 2
    distance_step = (tables_count + 1) << RANDOM_BITS
    rematch_step = distance_step * (tables_count * count**2 + 1)
    separated_step = rematch_step * (tables_count + 1)
    costs = {
        pair: random.getrandbits(RANDOM_BITS)
        + (distance_step * (pair[1] - pair[0]) ** 2 if by_distance else 0)
        + (rematch_step if pair in constraints.earlier_meetings else 0)
        + (separated_step if pair in constraints.separated else 0)
        for pair in combinations(units, 2)
    }
    highest_cost = max(costs.values(), default=0)
    graph = rustworkx.PyGraph[Index, int]()
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(*pair, highest_cost - cost) for pair, cost in costs.items()])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return Pairing(sorted(_in_order(*pair) for pair in matching), rests)
