"""Belote between two fixed pairs, seats 0 and 2 against 1 and 3: facts in, points out.

Pure: standard library and the kernel only. RULES.md beside this file has the numbered clauses that lines cite;
the law is the document 003. Points are integers, and both of a pair score the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scoring.games.belote.words import WORDS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Length, NoOptions, Rules, Seats, Sides
from scoring.rules.score import EngineScore, Line, Suspicion

CARD_POINTS = 152  # in all tricks, without the ten of the last
TEN_OF_LAST = 10
BELOTE = 20
SLAM = 100
LIMIT, LIMIT_WITH_BELOTE = 81, 91

SIDES = ("attack", "defence")
KEYS = frozenset({"taker", "points", "last_trick", "belote", "all_tricks"})
_TOLD = ("points", "last_trick", "belote", "all_tricks")  # KEYS without the taker, in the order of the form
_NO_CARDS_GIVE = frozenset({1, 151})


class Deal(NamedTuple):
    """What was seen at the table. `taker` is None when everyone passed; the rest then says nothing."""

    taker: int | None
    points: int  # card points of the taker's pair, 0 to 152, without the ten of the last trick
    last_trick: str  # "attack" or "defence"
    belote: str | None
    all_tricks: str | None


PASSED = Deal(None, 0, "defence", None, None)


def read(seats: int, facts: object) -> Deal:
    """Return a deal of its facts. Raises IllegalDeal on the field that can't be right. `seats` is 4."""
    if type(facts) is not dict or not facts.keys() <= KEYS:
        facts = reading.keyed(facts, "facts", frozenset(), KEYS)
    taker: Any = facts.get("taker")
    points: Any = facts.get("points")
    last_trick: Any = facts.get("last_trick")
    belote: Any = facts.get("belote")
    all_tricks: Any = facts.get("all_tricks")
    if taker is None and "taker" in facts:
        return _read_passed(facts)
    if type(taker) is not int or not 0 <= taker <= 3:
        reading.seat(taker, "taker", seats)
    if type(points) is not int or not 0 <= points <= CARD_POINTS:
        reading.whole(points, "points", 0, CARD_POINTS)
    if last_trick not in SIDES:
        reading.word(last_trick, "last_trick", SIDES)
    if belote is not None and belote not in SIDES:
        reading.word(belote, "belote", SIDES)
    if all_tricks is not None:
        _check_slam(reading.word(all_tricks, "all_tricks", SIDES), points, last_trick)
    return Deal(taker, points, last_trick, belote, all_tricks)


def _read_passed(facts: Mapping[str, object]) -> Deal:
    for name in _TOLD:
        if facts.get(name) is not None:
            raise IllegalDeal(name, "passed_alone", {"given": reading.given(facts[name])})
    return PASSED


def _check_slam(side: str, points: int, last_trick: str) -> None:
    """Check that who won every trick has every point and the last trick (RULES.md, B5.3)."""
    if last_trick == side and points == (CARD_POINTS if side == "attack" else 0):
        return
    raise IllegalDeal("all_tricks", f"slam_of_{side}", {"points": points, "side": last_trick})


def score(deal: Deal, options: NoOptions) -> EngineScore:
    """Return points, lines and warnings of a deal."""
    taker, points, last_trick, belote, all_tricks = deal
    if taker is None:
        return EngineScore((0, 0, 0, 0), (), ())
    side = taker % 2
    attack, defence = points, CARD_POINTS - points
    lines = [
        Line("card_points", {"attack": attack, "defence": defence}, "B1.3", _pairs(side, attack, defence)),
        Line("ten_of_last", {"side": last_trick}, "B2.1", _bonus(side, last_trick, TEN_OF_LAST)),
    ]
    if last_trick == "attack":
        attack += TEN_OF_LAST
    else:
        defence += TEN_OF_LAST
    if belote is not None:
        lines.append(Line("belote", {"side": belote}, "B2.2", _bonus(side, belote, BELOTE)))
        if belote == "attack":
            attack += BELOTE
        else:
            defence += BELOTE
    limit = LIMIT if belote is None else LIMIT_WITH_BELOTE
    if attack < limit:
        lines.append(Line("contract_lost", {"full": attack, "limit": limit}, "B3.3", _pairs(side, -attack, attack)))
        attack, defence = 0, defence + attack
    elif all_tricks == "attack":
        lines.append(Line("slam", {}, "B2.3", _pairs(side, SLAM, 0)))
        attack += SLAM
    warnings = (Suspicion("points", "no_such_points", {"points": points}),) if points in _NO_CARDS_GIVE else ()
    return EngineScore(_pairs(side, attack, defence), tuple(lines), warnings)


def _pairs(side: int, attack: int, defence: int) -> tuple[int, int, int, int]:
    """Return the points of both pairs; `side` is the taker's seat modulo 2."""
    return (defence, attack, defence, attack) if side else (attack, defence, attack, defence)


def _bonus(side: int, winner: str, points: int) -> tuple[int, int, int, int]:
    return _pairs(side, points, 0) if winner == "attack" else _pairs(side, 0, points)


def roles(deal: Deal) -> tuple[str, ...]:
    """Return `taker`, `partner` or `defender`; `passed` for everyone when nobody took."""
    if deal.taker is None:
        return ("passed",) * 4
    found = ["defender"] * 4
    found[deal.taker] = "taker"
    found[(deal.taker + 2) % 4] = "partner"
    return tuple(found)


def formula(deal: Deal, options: NoOptions, seat: int) -> str:
    """Return a seat's points as 003 writes them: `75 + 10 = 85`; "" when everyone passed."""
    taker, points, last_trick, belote, all_tricks = deal
    if taker is None:
        return ""
    full = f"{points}" + " + 10" * (last_trick == "attack") + " + 20" * (belote == "attack")
    attack = seat % 2 == taker % 2
    given = score(deal, options).points
    gained = given[seat]
    if given[taker] == 0:
        lost = "162 + 20 − 0" if belote else "162 − 0"  # "162 − definitive full score of the taker", which is zero
        return f"0 × ({full}) = 0" if attack else f"{lost} = {gained}"
    if attack:
        return full + " + 100" * (all_tricks == "attack") + f" = {gained}"
    ten = " − 10" * (last_trick == "attack")
    return f"162 − {points}" + ten + " + 20" * (belote == "defence") + f" = {gained}"


def sides(seats: int) -> Sides:
    """Return the two pairs."""
    return ((0, 2), (1, 3))


def check_totals(totals: Sequence[int], deals: int) -> None:
    """Check that partners have the same total, and none is negative."""
    reading.items(totals, "totals", 4)
    for seat, given in enumerate(totals):
        reading.whole(given, f"totals.{seat}")
    for seat in (2, 3):
        if totals[seat] != totals[seat - 2]:
            raise IllegalDeal(f"totals.{seat}", "mates_differ", {"given": totals[seat], "allowed": totals[seat - 2]})


RULES = Rules(
    seats=Seats(4, 4),
    length=Length("deals", 4, 8, 12),
    words=WORDS,
    read=read,
    score=score,
    roles=roles,
    formula=formula,
    sides=sides,
    check_totals=check_totals,
)
