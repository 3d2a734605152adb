"""A deal of tarot that everyone passed, so that the cards were dealt again: nobody gets points."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.games.tarot import one_for_one, taker
from scoring.rules.reading import checked_object
from scoring.rules.score import EngineScore, Line

FACT_KEYS = frozenset({"contract"})
OTHER_KEYS = taker.FACT_KEYS | one_for_one.FACT_KEYS


class PassedDeal(NamedTuple):
    seats: int


def read(seats: int, facts: Mapping[str, Any]) -> PassedDeal:
    """Return the deal of these facts. Keys of other contracts are allowed only if their value is null. Raise
    IllegalDeal.
    """
    checked_object(
        {key: value for key, value in facts.items() if value is not None or key not in OTHER_KEYS},
        "facts",
        FACT_KEYS,
        FACT_KEYS,
    )
    return PassedDeal(seats)


def score(deal: PassedDeal) -> EngineScore:
    zeros = (0,) * deal.seats
    return EngineScore(zeros, (Line("all_passed", {}, "T1.4", zeros),), ())
