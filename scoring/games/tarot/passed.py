"""A deal that everyone passed, without playing one for one: nothing is scored."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.games.tarot import one_for_one, taker
from scoring.rules.reading import keyed
from scoring.rules.score import EngineScore, Line

KEYS = frozenset({"contract"})
ELSEWHERE = taker.KEYS | one_for_one.KEYS


class PassedDeal(NamedTuple):
    """Nobody took; only the number of seats is known."""

    seats: int


def read(seats: int, facts: Mapping[str, Any]) -> PassedDeal:
    """Return a passed deal. Raises IllegalDeal on any other key, unless it is null: the same as left out."""
    keyed(
        {key: value for key, value in facts.items() if value is not None or key not in ELSEWHERE}, "facts", KEYS, KEYS
    )
    return PassedDeal(seats)


def score(deal: PassedDeal) -> EngineScore:
    """Return zero for everyone, with one line that says why."""
    nothing = (0,) * deal.seats
    return EngineScore(nothing, (Line("all_passed", {}, "T1.4", nothing),), ())
