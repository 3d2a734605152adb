"""The tables' numbers, their sizes by number, and who sits on which seat. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from league.draw.partners import sides
from league.draw.sizes import FOUR, usual_size
from league.draw.terms import Pair, Wishes, ordered


def table_numbers(fixed: Collection[int], tables: int) -> tuple[int, ...]:
    """Return the numbers that a round's tables bear: those of fixed tables, and else the lowest.

    `fixed` has a number for each person who needs it; of too many numbers those that most people need are kept.
    """
    needed = [number for number, _ in sorted(Counter(fixed).items(), key=lambda item: (-item[1], item[0]))[:tables]]
    free = (number for number in range(1, 2 * tables + 1) if number not in needed)
    return tuple(sorted(needed + [next(free) for _ in range(tables - len(needed))]))


class Sizes:
    """Which table has which size, through the rounds: the odd sizes change about between the numbers."""

    def __init__(self, wishes: Wishes, rng: np.random.Generator) -> None:
        self.usual = usual_size(wishes.sizes)
        self.rng = rng
        self.odd: Counter[int] = Counter()

    def spread(self, sizes: Sequence[int], numbers: Sequence[int], fixed: Collection[int]) -> tuple[int, ...]:
        """Return the sizes in the order of the numbers.

        A table that more people need than the smallest holds is larger.
        """
        needed, lots = Counter(fixed), self.rng.permutation(len(numbers)).tolist()
        crowded = {number: max(0, needed[number] - min(sizes)) for number in numbers}
        turn = sorted(range(len(numbers)), key=lambda at: (-crowded[numbers[at]], self.odd[numbers[at]], lots[at]))
        spread = [self.usual] * len(numbers)
        largest_first = sorted(sizes, reverse=True)
        full = [at for at in turn if crowded[numbers[at]]]
        rest = sorted(largest_first[len(full) :], key=lambda size: (size == self.usual, size))
        for at, size in zip(turn, largest_first[: len(full)] + rest, strict=True):
            spread[at] = size
            self.odd[numbers[at]] += size != self.usual
        return tuple(spread)


def at_numbers(
    groups: Sequence[tuple[int, ...]], numbers: Sequence[int], fixed: Mapping[int, int]
) -> list[tuple[int, ...]]:
    """Return the groups in the order of the numbers: each fixed number gets the group most of whose people need it."""
    left = list(groups)
    placed: dict[int, tuple[int, ...]] = {}
    for number in sorted(set(fixed.values()) & set(numbers)):
        most = max(left, key=lambda group: sum(fixed.get(player) == number for player in group))
        if any(fixed.get(player) == number for player in most):
            left.remove(most)
            placed[number] = most
    return [placed[number] if number in placed else left.pop(0) for number in numbers]


def seats(
    players: Sequence[int],
    wishes: Wishes,
    rng: np.random.Generator,
    *,
    couples: Collection[Pair] = (),
    partners: Counter[Pair] | None = None,
) -> tuple[int, ...]:
    """Return the players of a table in the order of their seats: by lot, or the strongest first.

    In a game of pairs partners sit opposite: the couples among the players, and who else were partners least tonight;
    `partners` counts that and is told of the new ones.
    """
    by_lot = rng.permutation(sorted(players)).tolist()
    if wishes.pairs and len(players) == FOUR:
        return _opposite(by_lot, couples, Counter() if partners is None else partners)
    if wishes.strong_first:
        by_lot.sort(key=lambda player: -wishes.strengths.get(player, 0))
    return tuple(by_lot)


def _opposite(players: list[int], couples: Collection[Pair], partners: Counter[Pair]) -> tuple[int, ...]:
    first, *others = players
    ways = [(first, others[index - 2], others[index], others[index - 1]) for index in range(3)]
    standing = set(couples)
    best = min(
        ways,
        key=lambda way: (-len(standing & set(sides(way))), sum(partners[ordered(*two)] ** 2 for two in sides(way))),
    )
    partners.update(sides(best))
    return best
