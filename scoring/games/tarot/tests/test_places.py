"""The order of the piles one for one: each case of 000, by hand."""

from typing import Any

import pytest

from scoring.games.tarot.pile_order import PileOrder, order_piles
from scoring.games.tarot.piles import OUDLER_BITS, Pile
from scoring.games.tarot.tests.strategies import TAROT
from scoring.rules.errors import IllegalDeal
from scoring.tests import laws

LOST = Pile(0, 0, 0, None, None)


def pile(points: float, *oudlers: str, **values: Any) -> Pile:
    """Return a pile of two tricks, with other values as given."""
    fields = {"tricks": 2, "characters": None, "first_trick": None, **values}
    return Pile(int(2 * points), sum(OUDLER_BITS[name] for name in oudlers), **fields)


@pytest.mark.parametrize(
    ("piles", "order"),
    [
        # Differences −6, −11, −20: the oudlers' limits count, not the points.
        ([pile(45, "21"), pile(45), pile(21, "excuse", "small")], (0, 1, 2)),
        # Equal at −20: more oudlers first.
        ([pile(36), pile(31, "small"), pile(21, "21", "excuse")], (2, 1, 0)),
        # One each: 21, Excuse, Small.
        ([pile(20, "small"), pile(20, "excuse"), pile(20, "21")], (2, 1, 0)),
        # An Excuse alone (4.5 − 51) against tricks worth 9.5 without an oudler (9.5 − 56).
        ([pile(9.5), pile(40, "21"), pile(4.5, "excuse", tricks=0)], (1, 2, 0)),
        # None: more characters, although the other has a king.
        (
            [pile(20, characters=(1, 0, 0, 1)), pile(20, characters=(0, 0, 1, 2)), pile(40)],
            (2, 1, 0),
        ),
        # As many characters: the greatest decide, kings before queens.
        (
            [pile(20, characters=(1, 0, 0, 2)), pile(20, characters=(1, 1, 0, 1)), pile(20, characters=(0, 3, 0, 0))],
            (1, 0, 2),
        ),
        # The same characters: who won a trick first.
        (
            [
                pile(20, characters=(1, 0, 0, 0), first_trick=5),
                pile(20, characters=(1, 0, 0, 0), first_trick=2),
                pile(20, characters=(0, 1, 0, 0)),
            ],
            (1, 0, 2),
        ),
    ],
)
def test_order_of_000(piles: list[Pile], order: tuple[int, ...]) -> None:
    assert order_piles(piles) == PileOrder(order, 1)


@pytest.mark.parametrize(
    ("piles", "expected"),
    [
        ([LOST, pile(60, "21"), LOST], PileOrder((1, 0, 2), 2)),
        ([LOST, pile(60, "21"), pile(20, "small"), LOST, LOST], PileOrder((1, 2, 0, 3, 4), 3)),
        # The Excuse alone is 5 less short: no dispute with an empty pile.
        ([LOST, pile(60, "21"), pile(4.5, "excuse", tricks=0)], PileOrder((1, 2, 0), 1)),
        # Tricks worth nothing are still tricks.
        ([LOST, pile(60, "21"), pile(0)], PileOrder((1, 2, 0), 1)),
    ],
)
def test_dispute_is_between_equals_without_a_trick(piles: list[Pile], expected: PileOrder) -> None:
    assert order_piles(piles) == expected


@pytest.mark.parametrize(
    ("piles", "field"),
    [
        ([pile(20), pile(60, "21"), pile(20, characters=(0, 0, 0, 0))], "piles.0.characters"),
        ([pile(20, characters=(1, 0, 0, 0)), pile(60, "21"), pile(20)], "piles.2.characters"),
        (
            [pile(20, characters=(1, 0, 0, 0), first_trick=1), pile(60), pile(20, characters=(1, 0, 0, 0))],
            "piles.2.first_trick",
        ),
    ],
)
def test_a_tie_asks_for_what_decides_it(piles: list[Pile], field: str) -> None:
    with pytest.raises(IllegalDeal) as refused:
        order_piles(piles)
    laws.check_refusal(TAROT, refused.value)
    assert refused.value.field == field
