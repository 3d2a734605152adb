"""Rules of a duel: Two Way Street with 2 players (section 4 of the author's pages). No Django."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.rules import reading
from scoring.rules.score import DealWarning, EngineScore, Line

USUAL_MIN_TRICKS = 10  # each player has ten cards; the bid adds further tricks
DIRECTIONS = ("high", "low")

_FACT_KEYS = frozenset({"direction", "dealer", "tricks"})


class Duel(NamedTuple):
    direction: str  # of the winning bid: "high" or "low"
    dealer: int  # seat
    tricks: tuple[int, int]  # by seat


def read(facts: object) -> Duel:
    values: Mapping[str, Any] = reading.checked_object(facts, "facts", _FACT_KEYS, _FACT_KEYS)
    direction = reading.word(values["direction"], "direction", DIRECTIONS)
    dealer = reading.seat(values["dealer"], "dealer", 2)
    first, second = reading.items(values["tricks"], "tricks", 2)
    return Duel(direction, dealer, (reading.integer(first, "tricks.0"), reading.integer(second, "tricks.1")))


def winner(deal: Duel) -> int | None:
    """Return the winning seat: the seat with more tricks if the bid was high, or with fewer tricks if it was low.

    Return None if both seats have the same number.
    """
    first, second = deal.tricks
    if first == second:
        return None
    return int((second > first) == (deal.direction == "high"))


def score(deal: Duel) -> EngineScore:
    """Return the points with their line (reason for points): the winner gets 2 points for each trick of difference. If
    both have the same number of tricks, the dealer gets 1 point.
    """
    first, second = deal.tricks
    won = winner(deal)
    if won is None:
        points = (0, 1) if deal.dealer else (1, 0)
        line = Line("duel_equal", {"seat": deal.dealer}, "W5.3", points)
    else:
        gained = 2 * abs(first - second)
        points = (0, gained) if won else (gained, 0)
        params = {"seat": won, "tricks": deal.tricks[won], "others": deal.tricks[1 - won]}
        line = Line(f"duel_{deal.direction}", params, "W5.2", points)
    played = first + second
    warnings = (DealWarning("tricks", "tricks_of_duel", {"given": played, "allowed": USUAL_MIN_TRICKS}),)
    return EngineScore(points, (line,), warnings if played < USUAL_MIN_TRICKS else ())


def roles(deal: Duel) -> tuple[str, ...]:
    return ("opponent", "dealer") if deal.dealer else ("dealer", "opponent")


def points_formula(deal: Duel, seat: int) -> str:
    """Return the computation of a seat's points: `(6 − 4) × 2 = 4`; `0 × 2 + 1 = 1` for the dealer of a duel with equal
    tricks.
    """
    won = winner(deal)
    if won is None and seat == deal.dealer:
        return "0 × 2 + 1 = 1"
    if won != seat:
        return "0 × 2 = 0"
    higher, lower = max(deal.tricks), min(deal.tricks)
    return f"({higher} − {lower}) × 2 = {2 * (higher - lower)}"
