"""Belote between two fixed pairs, seats 0 and 2 against 1 and 3. Pure.

Lines cite the numbered clauses of RULES.md; the source is document 003. Both players of a pair have the same points.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.games.belote.options import HOUSE_RULES, Options
from scoring.games.belote.words import WORDS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Length, Rules, Seats, Sides
from scoring.rules.score import EngineScore, Line, Suspicion

CARD_POINTS = 152  # in all tricks, without the ten of the last
TEN_OF_LAST = 10
BELOTE = 20
PAIRS: Sides = ((0, 2), (1, 3))
AS_WRITTEN = Options()
LIMIT, LIMIT_WITH_BELOTE = 81, 91

SIDES = ("attack", "defence")
KEYS = frozenset({"taker", "points", "last_trick", "belote", "all_tricks"})
_TAKER_ONLY = ("points", "last_trick", "belote", "all_tricks")  # keys of deals with a taker, in the order of the form
_IMPOSSIBLE_POINTS = frozenset({1, 151})


class Deal(NamedTuple):
    """`taker` is None if everyone passed; then the other values have no meaning."""

    taker: int | None
    points: int  # card points of the taker's pair, 0 to 152, without the ten of the last trick
    last_trick: str  # "attack" or "defence"
    belote: str | None
    all_tricks: str | None


PASSED = Deal(None, 0, "defence", None, None)


def read(seats: int, facts: object) -> Deal:
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
        reading.integer(points, "points", 0, CARD_POINTS)
    if last_trick not in SIDES:
        reading.word(last_trick, "last_trick", SIDES)
    if belote is not None and belote not in SIDES:
        reading.word(belote, "belote", SIDES)
    if all_tricks is not None:
        _check_slam(reading.word(all_tricks, "all_tricks", SIDES), points, last_trick)
    return Deal(taker, points, last_trick, belote, all_tricks)


def _read_passed(facts: Mapping[str, object]) -> Deal:
    for name in _TAKER_ONLY:
        if facts.get(name) is not None:
            raise IllegalDeal(name, "passed_alone", {"given": reading.quote(facts[name])})
    return PASSED


def _check_slam(side: str, points: int, last_trick: str) -> None:
    """Check that the winner of every trick has every point and the last trick (RULES.md, B5.3)."""
    if last_trick == side and points == (CARD_POINTS if side == "attack" else 0):
        return
    raise IllegalDeal("all_tricks", f"slam_of_{side}", {"points": points, "side": last_trick})


def score(deal: Deal, options: Options, held_points: int = 0) -> EngineScore:
    """`held_points`: points of earlier disputes for each winner of this deal."""
    taker, points, last_trick, belote, all_tricks = deal
    if taker is None:
        return EngineScore((0, 0, 0, 0), (), ())
    side = taker % 2
    attack, defence = points, CARD_POINTS - points
    lines = [
        Line("card_points", {"attack": attack, "defence": defence}, "B1.3", _pairs(side, attack, defence)),
        _LAST_TRICK[side, last_trick],
    ]
    if last_trick == "attack":
        attack += TEN_OF_LAST
    else:
        defence += TEN_OF_LAST
    limit = LIMIT
    if belote is not None:
        limit = LIMIT_WITH_BELOTE
        lines.append(_BELOTE[side, belote])
        if belote == "attack":
            attack += BELOTE
        else:
            defence += BELOTE
    if attack < limit:
        lines.append(Line("contract_lost", {"full": attack, "limit": limit}, "B3.3", _pairs(side, -attack, attack)))
        attack, defence = 0, defence + attack
    elif all_tricks == "attack":
        attack += options.slam
        lines.append(_slam(side, options.slam))
    if options != AS_WRITTEN:
        attack, defence = _apply_house_rules(deal, options, held_points, lines, attack, defence)
    warnings = (Suspicion("points", "no_such_points", {"points": points}),) if points in _IMPOSSIBLE_POINTS else ()
    return EngineScore(_pairs(side, attack, defence), tuple(lines), warnings)


def _apply_house_rules(
    deal: Deal, options: Options, held_points: int, lines: list[Line], attack: int, defence: int
) -> tuple[int, int]:
    """Return both sides' points after the house rules (RULES.md, B6), and add their lines."""
    assert deal.taker is not None
    side = deal.taker % 2
    full, limit = _full_score(deal)
    if full < limit and _keeps_belote(deal, options):
        attack, defence = attack + BELOTE, defence - BELOTE
        lines.append(Line("belote_stays", {"points": BELOTE}, "B6.2", _pairs(side, BELOTE, -BELOTE)))
    if in_dispute(deal, options):
        attack = 0
        lines.append(Line("in_dispute", {"full": full}, "B6.1", _pairs(side, -full, 0)))
    elif held_points:
        winner = "defence" if full < limit else "attack"
        lines.append(
            Line("held_before", {"points": held_points, "side": winner}, "B6.1", _bonus(side, winner, held_points))
        )
        if winner == "defence":
            defence += held_points
        else:
            attack += held_points
    if options.rounding is not None:
        changes = tuple(_rounded(points, options.rounding) - points for points in (attack, defence))
        if any(changes):
            lines.append(Line("rounded", {"to": options.rounding}, "B6.4", _pairs(side, *changes)))
        attack, defence = attack + changes[0], defence + changes[1]
    return attack, defence


def _full_score(deal: Deal) -> tuple[int, int]:
    """Return the taker's side's score with bonuses, and the score needed (RULES.md, B3)."""
    full = deal.points + TEN_OF_LAST * (deal.last_trick == "attack") + BELOTE * (deal.belote == "attack")
    return full, LIMIT if deal.belote is None else LIMIT_WITH_BELOTE


def is_made(deal: Deal) -> bool:
    full, limit = _full_score(deal)
    return deal.taker is not None and full >= limit


def in_dispute(deal: Deal, options: Options) -> bool:
    full, limit = _full_score(deal)
    return options.dispute == "held" and deal.taker is not None and full == limit


def _keeps_belote(deal: Deal, options: Options) -> bool:
    return options.failed_belote == "holder" and deal.belote == "attack"


def _rounded(points: int, unit: int) -> int:
    return (points + unit // 2) // unit * unit


def carry(earlier: Sequence[Deal], options: Options) -> int:
    """Return the held points for each winner of the next decided deal (RULES.md, B6.1)."""
    points = 0
    for deal in earlier:
        if in_dispute(deal, options):
            points += _full_score(deal)[0]
        elif deal.taker is not None:
            points = 0
    return points


def carry_applies(options: Options) -> bool:
    return options.dispute == "held"


def _pairs(side: int, attack: int, defence: int) -> tuple[int, int, int, int]:
    """Return points by seat; `side` is the taker's seat modulo 2."""
    return (defence, attack, defence, attack) if side else (attack, defence, attack, defence)


def _bonus(side: int, winner: str, points: int) -> tuple[int, int, int, int]:
    return _pairs(side, points, 0) if winner == "attack" else _pairs(side, 0, points)


def _slam(side: int, points: int) -> Line:
    return Line("slam", {"points": points}, "B2.3" if points == AS_WRITTEN.slam else "B6.3", _pairs(side, points, 0))


# Lines of many deals, by the taker's seat modulo 2 and the side with the points.
_LAST_TRICK = {
    (side, winner): Line("ten_of_last", MappingProxyType({"side": winner}), "B2.1", _bonus(side, winner, TEN_OF_LAST))
    for side in (0, 1)
    for winner in SIDES
}
_BELOTE = {
    (side, winner): Line("belote", MappingProxyType({"side": winner}), "B2.2", _bonus(side, winner, BELOTE))
    for side in (0, 1)
    for winner in SIDES
}


def roles(deal: Deal) -> tuple[str, ...]:
    if deal.taker is None:
        return ("passed",) * 4
    roles = ["defender"] * 4
    roles[deal.taker] = "taker"
    roles[(deal.taker + 2) % 4] = "partner"
    return tuple(roles)


def formula(deal: Deal, options: Options, seat: int, held_points: int = 0) -> str:
    """Return a seat's points as in 003: `75 + 10 = 85`; "" if everyone passed."""
    if deal.taker is None:
        return ""
    points = score(deal, options, held_points).points[seat]
    terms = _side_formula(deal, options, held_points, attack=seat % 2 == deal.taker % 2)
    if options.rounding is None:
        return f"{terms} = {points}"
    unit = options.rounding
    return f"⌊({terms} + {unit // 2}) ÷ {unit}⌋ × {unit} = {points}"


def _side_formula(deal: Deal, options: Options, held_points: int, *, attack: bool) -> str:
    score_of_taker = f"{deal.points}" + " + 10" * (deal.last_trick == "attack") + " + 20" * (deal.belote == "attack")
    full, limit = _full_score(deal)
    keeps_belote = _keeps_belote(deal, options)
    held = f" + {held_points}" if held_points else ""
    if full < limit:
        if attack:
            return f"0 × ({score_of_taker})" + " + 20" * keeps_belote
        # "162 − definitive full score of the taker", which is zero
        return "162" + " + 20" * (deal.belote is not None and not keeps_belote) + " − 0" + held
    disputed = in_dispute(deal, options)
    if attack:
        slam = f" + {options.slam}" if deal.all_tricks == "attack" else ""
        return score_of_taker + (f" − {full}" if disputed else slam + held)
    return f"162 − {deal.points}" + " − 10" * (deal.last_trick == "attack") + " + 20" * (deal.belote == "defence")


def sides(seats: int, options: Options) -> Sides:
    return PAIRS


def check_totals(totals: Sequence[int], deals: int, options: Options) -> None:
    reading.items(totals, "totals", 4)
    for seat, total in enumerate(totals):
        reading.integer(total, f"totals.{seat}")
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
    never_negative=True,
    options=Options,
    house_rules=HOUSE_RULES,
    carry=carry,
    carry_applies=carry_applies,
    held_points=carry,
)
