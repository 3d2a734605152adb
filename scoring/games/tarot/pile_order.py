"""The order of the piles in a deal "one for one" (without a taker), and the rate of each rank (document 000)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.games.tarot.piles import HALF_LIMITS, OUDLER_STRENGTHS, Pile
from scoring.rules.errors import IllegalDeal

# Document 000: rates from the best pile to the last; by number of seats, then by number of disputed piles (1: none).
RATES_BY_RANK: Mapping[int, Mapping[int, tuple[int, ...]]] = {
    3: {1: (1, 0, -1), 2: (2, -1, -1)},
    4: {1: (2, 1, -1, -2), 2: (3, 1, -2, -2), 3: (6, -2, -2, -2)},
    5: {1: (2, 1, 0, -1, -2), 2: (3, 1, 0, -2, -2), 3: (6, 0, -2, -2, -2), 4: (8, -2, -2, -2, -2)},
    6: {
        1: (3, 2, 1, -1, -2, -3),
        2: (3, 2, 1, 0, -3, -3),
        3: (4, 2, 0, -2, -2, -2),
        4: (8, 0, -2, -2, -2, -2),
        5: (10, -2, -2, -2, -2, -2),
    },
}
TEAM_RATES_BY_RANK: Mapping[int, Mapping[int, tuple[int, ...]]] = {2: {1: (1, -1)}, 3: {1: (1, 0, -1), 2: (2, -1, -1)}}

# The index is the oudlers of a pile (a sum of OUDLER_BITS). The sort key of a pile is 32 × its half points + its
# offset. It sorts by the difference to the points that the pile needs, then by the number of oudlers, then by their
# strength.
_SORT_KEY_OFFSETS = tuple(
    strength - 32 * half_limit for half_limit, strength in zip(HALF_LIMITS, OUDLER_STRENGTHS, strict=True)
)
_new_tuple = tuple.__new__  # faster than the constructor of a named tuple


class PileOrder(NamedTuple):
    """The order of the piles of a deal. `order` has the indexes of the piles from the best to the last.

    `disputed` is the number of equal piles without a trick at the end of the order (1: no such piles).
    """

    order: tuple[int, ...]
    disputed: int


def order_piles(piles: Sequence[Pile]) -> PileOrder:
    """Return the order of the piles by document 000. Raise IllegalDeal if tied piles have no characters or no first
    trick.
    """
    sort_keys = [32 * pile.half_points + _SORT_KEY_OFFSETS[pile.oudlers] for pile in piles]
    if len(set(sort_keys)) < len(sort_keys):
        _check_tie_breaks(piles, sort_keys)
        order = sorted(range(len(piles)), key=lambda index: (-sort_keys[index], _tie_break_key(piles[index])))
    else:
        order = sorted(range(len(sort_keys)), key=sort_keys.__getitem__, reverse=True)
    last = piles[order[-1]]
    if last.tricks == 0:
        disputed = [
            index
            for index in order
            if piles[index].tricks == 0 and piles[index].half_difference == last.half_difference
        ]
        if len(disputed) > 1:
            return PileOrder((*(index for index in order if index not in disputed), *disputed), len(disputed))
    return _new_tuple(PileOrder, (tuple(order), 1))


def _check_tie_breaks(piles: Sequence[Pile], sort_keys: Sequence[int]) -> None:
    """Check that tied piles have the values that break the tie (characters, then first trick). Raise IllegalDeal.

    Piles without tricks need none. Tied piles have no oudlers, because each oudler exists only once.
    """
    piles_by_key: dict[int, list[int]] = {}
    for index, pile in enumerate(piles):
        if pile.tricks:
            piles_by_key.setdefault(sort_keys[index], []).append(index)
    for tied in piles_by_key.values():
        if len(tied) == 1:
            continue
        for index in tied:
            if piles[index].characters is None:
                raise IllegalDeal(f"piles.{index}.characters", "tie_needs_characters", {"tied": len(tied)})
        for index in tied:
            equal_piles = [other_pile for other_pile in tied if piles[other_pile].characters == piles[index].characters]
            if len(equal_piles) > 1 and piles[index].first_trick is None:
                raise IllegalDeal(f"piles.{index}.first_trick", "tie_needs_first_trick", {"tied": len(equal_piles)})


def _tie_break_key(pile: Pile) -> tuple[int, ...]:
    """Return the sort key of a tied pile.

    Piles with a trick come first; then the pile with more characters, with higher characters, with the earlier first
    trick.
    """
    characters = pile.characters or (0, 0, 0, 0)
    return (pile.tricks == 0, -sum(characters), *(-count for count in characters), pile.first_trick or 0)
