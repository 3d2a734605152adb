"""The numbers and sizes of the tables, and the seat of each player. No Django."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from league.draw.partners import sides
from league.draw.sizes import USUAL_TABLE_SIZE, usual_size
from league.draw.terms import Pair, Wishes, ordered_pair


def table_numbers(fixed: Collection[int], tables: int) -> tuple[int, ...]:
    """Return a number for each of `tables` tables, in order: the numbers in `fixed` (tables that players need), then
    the lowest free numbers.

    If `fixed` has more numbers than tables, the numbers that most players need are used.
    """
    needed = [number for number, _ in sorted(Counter(fixed).items(), key=lambda item: (-item[1], item[0]))[:tables]]
    free = (number for number in range(1, 2 * tables + 1) if number not in needed)
    return tuple(sorted(needed + [next(free) for _ in range(tables - len(needed))]))


class TableSizeRotation:
    """Assigns sizes to table numbers, so that in each round other tables have the unusual sizes."""

    def __init__(self, wishes: Wishes, rng: np.random.Generator) -> None:
        self.usual = usual_size(wishes.sizes)
        self.rng = rng
        self.unusual_counts: Counter[int] = Counter()

    def next_sizes(self, sizes: Sequence[int], numbers: Sequence[int], fixed: Collection[int]) -> tuple[int, ...]:
        """Return the size of each table in `numbers`.

        `fixed` has the table number of each player with a fixed table. If more players need a table than the smallest
        size has seats, the table gets one of the largest sizes.
        """
        needed, lots = Counter(fixed), self.rng.permutation(len(numbers)).tolist()
        crowded = {number: max(0, needed[number] - min(sizes)) for number in numbers}
        keys = [(-crowded[number], self.unusual_counts[number], lot) for number, lot in zip(numbers, lots, strict=True)]
        order = sorted(range(len(numbers)), key=keys.__getitem__)
        numbered_sizes = [self.usual] * len(numbers)
        largest_first = sorted(sizes, reverse=True)
        crowded_indexes = [index for index in order if crowded[numbers[index]]]
        remaining_sizes = sorted(largest_first[len(crowded_indexes) :], key=lambda size: (size == self.usual, size))
        for index, size in zip(order, largest_first[: len(crowded_indexes)] + remaining_sizes, strict=True):
            numbered_sizes[index] = size
            self.unusual_counts[numbers[index]] += size != self.usual
        return tuple(numbered_sizes)


def order_by_number(
    groups: Sequence[tuple[int, ...]], numbers: Sequence[int], fixed: Mapping[int, int]
) -> list[tuple[int, ...]]:
    """Return the groups of players in the order of the table `numbers`.

    `fixed` has the table numbers of players with a fixed table. Such a table gets the group with most players who need
    it.
    """
    remaining = list(groups)
    placed: dict[int, tuple[int, ...]] = {}
    for number in sorted(set(fixed.values()) & set(numbers)):
        neediest = max(remaining, key=lambda group: sum(fixed.get(player) == number for player in group))
        if any(fixed.get(player) == number for player in neediest):
            remaining.remove(neediest)
            placed[number] = neediest
    return [placed[number] if number in placed else remaining.pop(0) for number in numbers]


def assign_seats(
    players: Sequence[int],
    wishes: Wishes,
    rng: np.random.Generator,
    *,
    couples: Collection[Pair] = (),
    partner_counts: Counter[Pair] | None = None,
) -> tuple[int, ...]:
    """Return the players of a table in the order of their seats: in random order, or the strongest first.

    In a game of pairs, partners sit opposite each other: first the `couples`, then the players who were partners least
    often. `partner_counts` is updated with the new partnerships.
    """
    by_lot = rng.permutation(sorted(players)).tolist()
    if wishes.pairs and len(players) == USUAL_TABLE_SIZE:
        return _seat_partners_opposite(by_lot, couples, Counter() if partner_counts is None else partner_counts)
    if wishes.strong_first:
        by_lot.sort(key=lambda player: -wishes.strengths.get(player, 0))
    return tuple(by_lot)


def _seat_partners_opposite(
    players: list[int], couples: Collection[Pair], partner_counts: Counter[Pair]
) -> tuple[int, ...]:
    first, *neighbours = players
    options = [(first, neighbours[index - 2], neighbours[index], neighbours[index - 1]) for index in range(3)]
    standing = set(couples)
    best = min(
        options,
        key=lambda option: (
            -len(standing & set(sides(option))),
            sum(partner_counts[ordered_pair(*two)] ** 2 for two in sides(option)),
        ),
    )
    partner_counts.update(sides(best))
    return best
