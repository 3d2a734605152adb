"""Rules of a hand of Two Way Street with 3 or more players. No Django.

The terms "raw score", "penalty" and "refined score" come from document 004; `low_call_base` is its constant N.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.rules import reading
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.score import DealWarning, EngineScore, Line

CALLS = ("high", "low")
LOW_CALL_BASES = {
    3: 8,
    4: 6,
    5: 5,
    6: 4,
    7: 3,
    8: 3,
    9: 2,
    10: 2,
}  # N of document 004, by number of players; 1 from 11 on
# With more seats, one line has the points of all seats: a line for each seat would take too much memory.
MAX_SEATS_WITH_LINES = 100

CLAUSE_BY_CASE = {"case_a": "W3.1", "case_b": "W3.2", "case_c": "W3.3", "case_d": "W3.4", "all_tied": "W3.4"}

_new_tuple = tuple.__new__  # faster than the constructor of a named tuple

_FACT_KEYS = frozenset({"hands"})
_HAND_KEYS = frozenset({"call", "forced", "tricks"})
_REQUIRED_HAND_KEYS = frozenset({"call", "tricks"})


class Hand(NamedTuple):
    """The call of one player and the number of tricks that they won. `forced`: they had no choice, because more than
    half of the players had declared the other direction.
    """

    call: str  # "high" or "low"
    forced: bool
    tricks: int


class Hands(NamedTuple):
    """A deal of 3 or more players: the hand of each seat."""

    hands: tuple[Hand, ...]


def read(seats: int, facts: object) -> Hands:
    """Return the hands of all players from the JSON `facts`. Raise IllegalDeal.

    The length of the list is checked before memory is allocated for each seat, because the number of seats has no
    maximum.
    """
    if type(facts) is not dict or facts.keys() != _FACT_KEYS:
        facts = reading.checked_object(facts, "facts", _FACT_KEYS, _FACT_KEYS)
    raw: Any = facts["hands"]
    if type(raw) is not list or len(raw) != seats:
        raw = reading.items(raw, "hands")
        if len(raw) != seats:
            raise IllegalDeal("hands", "wrong_length", {"given": len(raw), "allowed": reading.quote(seats)})
    hands = []
    for seat, hand in enumerate(raw):
        if type(hand) is dict and len(hand) == 3:
            call, forced, tricks = hand.get("call"), hand.get("forced"), hand.get("tricks")
            # The hand has three keys, and the three known keys have valid values, so it has no unknown key.
            if type(tricks) is int and tricks >= 0 and type(forced) is bool and (call == "high" or call == "low"):
                hands.append(_new_tuple(Hand, (call, forced, tricks)))
                continue
        hands.append(_read_hand(hand, f"hands.{seat}"))
    return Hands(tuple(hands))


def _read_hand(value: object, field: str) -> Hand:
    """Return a hand. Check each value, and raise IllegalDeal for the first wrong one. `field` names the hand."""
    hand = reading.checked_object(value, field, _REQUIRED_HAND_KEYS, _HAND_KEYS)
    return Hand(
        reading.word(hand["call"], f"{field}.call", CALLS),
        reading.boolean(hand.get("forced"), f"{field}.forced"),
        reading.integer(hand["tricks"], f"{field}.tricks"),
    )


def low_call_base(seats: int) -> int:
    """Return the constant N of document 004: the raw score of a player who plays low is N minus the player's tricks."""
    return LOW_CALL_BASES.get(seats, 1)


def raw_scores(deal: Hands) -> list[int]:
    """Return the raw score of each seat: its tricks if it plays high, N minus its tricks if it plays low (may be
    negative).
    """
    low = low_call_base(len(deal.hands))
    return [tricks if call == "high" else low - tricks for call, _forced, tricks in deal.hands]


def penalty(raws: Sequence[int]) -> tuple[str, int]:
    """Return (case of document 004, penalty) for the raw scores of all seats. The cases are the keys of CLAUSE_BY_CASE.

    Each seat has its own rank: two players who are tied for second have the second and the third best raw score.
    """
    ranked = sorted(raws, reverse=True)
    first, second, third = ranked[:3]
    if second != third:
        return "case_a", third
    if len(ranked) > 3 and ranked[3] != third:
        return "case_b", ranked[3]
    if first != second:
        return "case_c", second
    if ranked[-1] == first:
        return "all_tied", first
    return "case_d", next(raw for raw in ranked if raw != first)


def final_points(hand: Hand, raw: int, case: str, penalty: int) -> int:
    """Return a seat's points: its raw score minus the penalty, doubled, or tripled for a forced player; never negative.

    A forced player in the tie of case C gets 1 point.
    """
    refined = raw - penalty
    if refined > 0:
        return refined * (3 if hand.forced else 2)
    return 1 if refined == 0 and hand.forced and case == "case_c" else 0


def score(deal: Hands, hand_tricks: int | None) -> EngineScore:
    """Return the points with the lines (reasons for points) that explain them: one line for each seat, or one for all
    if there are more than MAX_SEATS_WITH_LINES seats. `hand_tricks` is the number of tricks in a hand; None: no check.
    """
    hands = deal.hands
    seats = len(hands)
    raws = raw_scores(deal)
    case, penalty_points = penalty(raws)
    warnings = _warnings(hands, hand_tricks)
    reason = Line(case, {"penalty": penalty_points}, CLAUSE_BY_CASE[case], (0,) * seats)
    if seats > MAX_SEATS_WITH_LINES:
        points = tuple([final_points(hand, raw, case, penalty_points) for hand, raw in zip(hands, raws, strict=True)])
        return EngineScore(
            points, (reason, Line("many", {"players": seats, "penalty": penalty_points}, "W4.2", points)), warnings
        )
    lines = [_seat_line(seats, seat, hand, case, penalty_points) for seat, hand in enumerate(hands)]
    points = tuple([line.points[seat] for seat, line in enumerate(lines)])
    return _new_tuple(EngineScore, (points, (reason, *lines), warnings))


# The same lines occur again and again in an evening, and creating them took most of the time of scoring.
@lru_cache(maxsize=8192)
def _seat_line(seats: int, seat: int, hand: Hand, case: str, penalty: int) -> Line:
    call, forced, tricks = hand
    low = low_call_base(seats)
    raw = tricks if call == "high" else low - tricks
    refined = raw - penalty
    gained = final_points(hand, raw, case, penalty)
    if refined > 0:
        code, clause = f"tripled_{call}" if forced else f"doubled_{call}", "W4.2"
    else:
        code, clause = (f"one_{call}", "W4.3") if gained else (f"nothing_{call}", "W4.1")
    params: dict[str, Param] = {"seat": seat, "tricks": tricks, "base": low, "raw": raw}
    params |= {"penalty": penalty, "refined": refined, "points": gained}
    points = [0] * seats
    points[seat] = gained
    return Line(code, params, clause, tuple(points))


def _warnings(hands: tuple[Hand, ...], hand_tricks: int | None) -> tuple[DealWarning, ...]:
    warnings = []
    if hand_tricks is not None:
        played = sum([tricks for _call, _forced, tricks in hands])
        if played != hand_tricks:
            warnings.append(DealWarning("hands", "tricks_of_hand", {"given": played, "allowed": hand_tricks}))
    if True in [forced for _call, forced, _tricks in hands]:
        declared = _count_declared_calls(hands)
        for seat, (call, forced, _tricks) in enumerate(hands):
            opposite = declared["low" if call == "high" else "high"]
            if forced and opposite * 2 <= len(hands):
                params: dict[str, Param] = {"seat": seat, "call": call, "given": opposite, "players": len(hands)}
                warnings.append(DealWarning(f"hands.{seat}.forced", "not_forced", params))
    return tuple(warnings)


def _count_declared_calls(hands: tuple[Hand, ...]) -> Mapping[str, int]:
    calls = [call for call, forced, _tricks in hands if not forced]
    return {call: calls.count(call) for call in CALLS}


def roles(deal: Hands) -> tuple[str, ...]:
    return tuple(f"forced_{call}" if forced else call for call, forced, _tricks in deal.hands)


def points_formula(deal: Hands, seat: int) -> str:
    """Return the computation of a seat's points: `(4 − 2) × 3 = 6`, or with a low call `(6 − 1 − 3) × 2 = 4`.

    A negative score is shown as zero: `0 × 2 = 0`. The point of a forced player in the tie of case C is added:
    `(3 − 3) × 3 + 1 = 1`.
    """
    hand = deal.hands[seat]
    raws = raw_scores(deal)
    case, penalty_points = penalty(raws)
    gained = final_points(hand, raws[seat], case, penalty_points)
    times = 3 if hand.forced else 2
    if raws[seat] < penalty_points:
        return f"0 × {times} = 0"
    raw = f"{hand.tricks}" if hand.call == "high" else f"{low_call_base(len(deal.hands))} − {hand.tricks}"
    subtrahend = f"{penalty_points}" if penalty_points >= 0 else f"(−{-penalty_points})"
    bonus = " + 1" if gained == 1 else ""
    return f"({raw} − {subtrahend}) × {times}{bonus} = {gained}"
