"""A duel, the Two Way Street of 2 players. Pure; from the author's own pages, section 4."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.rules import reading
from scoring.rules.score import EngineScore, Line, Suspicion

LEAST_TRICKS = 10  # ten cards each; tricks taken through the bid come on top
DIRECTIONS = ("high", "low")

_FACTS = frozenset({"direction", "dealer", "tricks"})


class Duel(NamedTuple):
    """A duel: the direction of the winning bid, who dealt, and both players' tricks."""

    direction: str  # "high" or "low"
    dealer: int
    tricks: tuple[int, int]


def read(facts: object) -> Duel:
    """Return a duel from its facts."""
    known: Mapping[str, Any] = reading.keyed(facts, "facts", _FACTS, _FACTS)
    direction = reading.word(known["direction"], "direction", DIRECTIONS)
    dealer = reading.seat(known["dealer"], "dealer", 2)
    first, second = reading.items(known["tricks"], "tricks", 2)
    return Duel(direction, dealer, (reading.integer(first, "tricks.0"), reading.integer(second, "tricks.1")))


def winner(deal: Duel) -> int | None:
    """Return who has more tricks when the bid was high, fewer when it was low; None when they are equal."""
    first, second = deal.tricks
    if first == second:
        return None
    return int((second > first) == (deal.direction == "high"))


def score(deal: Duel) -> EngineScore:
    """Score 2 points for each trick of difference, or 1 for the dealer."""
    first, second = deal.tricks
    won = winner(deal)
    if won is None:
        own = (0, 1) if deal.dealer else (1, 0)
        line = Line("duel_equal", {"seat": deal.dealer}, "W5.3", own)
    else:
        gained = 2 * abs(first - second)
        own = (0, gained) if won else (gained, 0)
        params = {"seat": won, "tricks": deal.tricks[won], "others": deal.tricks[1 - won]}
        line = Line(f"duel_{deal.direction}", params, "W5.2", own)
    played = first + second
    doubts = (Suspicion("tricks", "tricks_of_duel", {"given": played, "allowed": LEAST_TRICKS}),)
    return EngineScore(own, (line,), doubts if played < LEAST_TRICKS else ())


def roles(deal: Duel) -> tuple[str, ...]:
    """Return `dealer` and `opponent`."""
    return ("opponent", "dealer") if deal.dealer else ("dealer", "opponent")


def formula(deal: Duel, seat: int) -> str:
    """Return a seat's points: `(6 − 4) × 2 = 4`; `0 × 2 + 1 = 1` for the dealer of equal tricks."""
    won = winner(deal)
    if won is None and seat == deal.dealer:
        return "0 × 2 + 1 = 1"
    if won != seat:
        return "0 × 2 = 0"
    most, least = max(deal.tricks), min(deal.tricks)
    return f"({most} − {least}) × 2 = {2 * (most - least)}"
