"""The numbers and sizes of the tables, and the seat of each player. No Django."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from league.draw.draw_types import Pair, Wishes, ordered_pair
from league.draw.partners import sides
from league.draw.sizes import USUAL_TABLE_SIZE, usual_size


def table_numbers(fixed: Collection[int], tables: int) -> tuple[int, ...]:
    """Return the numbers of `tables` tables, in ascending order: the numbers in `fixed`, and the lowest free numbers.

    `fixed` has the number of each player's fixed table. If these are more numbers than tables, the numbers that most
    players need are used.
    """
    needed = [number for number, _ in sorted(Counter(fixed).items(), key=lambda item: (-item[1], item[0]))[:tables]]
    free = (number for number in range(1, 2 * tables + 1) if number not in needed)
    return tuple(sorted(needed + [next(free) for _ in range(tables - len(needed))]))


class TableSizeRotation:
    """Assigns sizes to table numbers, so that the unusual sizes are at other tables in each round."""

    def __init__(self, wishes: Wishes, rng: np.random.Generator) -> None:
        self.usual_size = usual_size(wishes.sizes)
        self.rng = rng
        self.unusual_counts: Counter[int] = Counter()

    def next_sizes(self, sizes: Sequence[int], numbers: Sequence[int], fixed: Collection[int]) -> tuple[int, ...]:
        """Return the size of each table in `numbers`.

        `sizes` are the sizes of the round, in any order. `fixed` has the number of each player's fixed table. If more
        players need a table than the smallest size has seats, the table gets one of the largest sizes.
        """
        needed, lots = Counter(fixed), self.rng.permutation(len(numbers)).tolist()
        crowded = {number: max(0, needed[number] - min(sizes)) for number in numbers}
        keys = [(-crowded[number], self.unusual_counts[number], lot) for number, lot in zip(numbers, lots, strict=True)]
        order = sorted(range(len(numbers)), key=keys.__getitem__)
        numbered_sizes = [self.usual_size] * len(numbers)
        largest_first = sorted(sizes, reverse=True)
        crowded_indexes = [index for index in order if crowded[numbers[index]]]
        remaining_sizes = sorted(
            largest_first[len(crowded_indexes) :], key=lambda size: (size == self.usual_size, size)
        )
        for index, size in zip(order, largest_first[: len(crowded_indexes)] + remaining_sizes, strict=True):
            numbered_sizes[index] = size
            self.unusual_counts[numbers[index]] += size != self.usual_size
        return tuple(numbered_sizes)


def groups_by_table_number(
    groups: Sequence[tuple[int, ...]], numbers: Sequence[int], fixed: Mapping[int, int]
) -> list[tuple[int, ...]]:
    """Return the groups of players in the order of the table `numbers`.

    `fixed` maps players to the number of their fixed table. Such a table gets the group with most players who need it.
    """
    remaining = list(groups)
    fixed_groups: dict[int, tuple[int, ...]] = {}
    for number in sorted(set(fixed.values()) & set(numbers)):
        neediest = max(remaining, key=lambda group: sum(fixed.get(player) == number for player in group))
        if any(fixed.get(player) == number for player in neediest):
            remaining.remove(neediest)
            fixed_groups[number] = neediest
    return [fixed_groups[number] if number in fixed_groups else remaining.pop(0) for number in numbers]


def assign_seats(
    players: Sequence[int],
    wishes: Wishes,
    rng: np.random.Generator,
    *,
    couples: Collection[Pair] = (),
    partner_counts: Counter[Pair] | None = None,
) -> tuple[int, ...]:
    """Return the players of a table in the order of their seats: in random order, or the strongest first.

    In a game of pairs, partners sit opposite each other: the `couples`, or else the players who were partners least
    often. `partner_counts` is updated with the new partnerships.
    """
    seated_players = rng.permutation(sorted(players)).tolist()
    if wishes.has_pairs and len(players) == USUAL_TABLE_SIZE:
        return _seat_partners_opposite(seated_players, couples, Counter() if partner_counts is None else partner_counts)
    if wishes.strong_first:
        seated_players.sort(key=lambda player: -wishes.strengths.get(player, 0))
    return tuple(seated_players)


def _seat_partners_opposite(
    players: list[int], couples: Collection[Pair], partner_counts: Counter[Pair]
) -> tuple[int, ...]:
    first, *neighbours = players
    options = [(first, neighbours[index - 2], neighbours[index], neighbours[index - 1]) for index in range(3)]
    couple_set = set(couples)
    best = min(
        options,
        key=lambda option: (
            -len(couple_set & set(sides(option))),
            sum(partner_counts[ordered_pair(*two)] ** 2 for two in sides(option)),
        ),
    )
    partner_counts.update(sides(best))
    return best
