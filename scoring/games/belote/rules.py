"""Belote between two fixed pairs, seats 0 and 2 against 1 and 3: facts in, points out.

Pure: standard library and the kernel only. RULES.md beside this file has the numbered clauses that lines cite;
the law is the document 003. Points are integers, and both of a pair score the same.
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
AS_WRITTEN = Options()
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
        reading.integer(points, "points", 0, CARD_POINTS)
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
            raise IllegalDeal(name, "passed_alone", {"given": reading.quote(facts[name])})
    return PASSED


def _check_slam(side: str, points: int, last_trick: str) -> None:
    """Check that who won every trick has every point and the last trick (RULES.md, B5.3)."""
    if last_trick == side and points == (CARD_POINTS if side == "attack" else 0):
        return
    raise IllegalDeal("all_tricks", f"slam_of_{side}", {"points": points, "side": last_trick})


def score(deal: Deal, options: Options, held: int = 0) -> EngineScore:
    """Return points, lines and warnings of a deal. `held` is what each of its winners gets of deals in dispute."""
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
        attack, defence = _by_house_rules(deal, options, held, lines, attack, defence)
    warnings = (Suspicion("points", "no_such_points", {"points": points}),) if points in _NO_CARDS_GIVE else ()
    return EngineScore(_pairs(side, attack, defence), tuple(lines), warnings)


def _by_house_rules(
    deal: Deal, options: Options, held: int, lines: list[Line], attack: int, defence: int
) -> tuple[int, int]:
    """Return both sides' points, which were scored as written, by the house rules (RULES.md, B6); add their lines."""
    assert deal.taker is not None
    side = deal.taker % 2
    full, limit = _full_score(deal)
    if full < limit and _keeps_belote(deal, options):
        attack, defence = attack + BELOTE, defence - BELOTE
        lines.append(Line("belote_stays", {"points": BELOTE}, "B6.2", _pairs(side, BELOTE, -BELOTE)))
    if in_dispute(deal, options):
        attack = 0
        lines.append(Line("in_dispute", {"full": full}, "B6.1", _pairs(side, -full, 0)))
    elif held:
        winner = "defence" if full < limit else "attack"
        lines.append(Line("held_before", {"points": held, "side": winner}, "B6.1", _bonus(side, winner, held)))
        attack, defence = (attack, defence + held) if winner == "defence" else (attack + held, defence)
    if options.rounding is not None:
        by = tuple(_rounded(points, options.rounding) - points for points in (attack, defence))
        if any(by):
            lines.append(Line("rounded", {"to": options.rounding}, "B6.4", _pairs(side, *by)))
        attack, defence = attack + by[0], defence + by[1]
    return attack, defence


def _full_score(deal: Deal) -> tuple[int, int]:
    """Return the taker's full score (RULES.md, B3), and that from which the contract is won."""
    full = deal.points + TEN_OF_LAST * (deal.last_trick == "attack") + BELOTE * (deal.belote == "attack")
    return full, LIMIT if deal.belote is None else LIMIT_WITH_BELOTE


def is_made(deal: Deal) -> bool:
    """Whether the taker reached what the contract needs (RULES.md, B3)."""
    full, limit = _full_score(deal)
    return deal.taker is not None and full >= limit


def in_dispute(deal: Deal, options: Options) -> bool:
    """Whether by these house rules the points of the taker's side are held (RULES.md, B6.1)."""
    full, limit = _full_score(deal)
    return options.dispute == "held" and deal.taker is not None and full == limit


def _keeps_belote(deal: Deal, options: Options) -> bool:
    return options.failed_belote == "holder" and deal.belote == "attack"


def _rounded(points: int, to: int) -> int:
    return (points + to // 2) // to * to


def carry(earlier: Sequence[Deal], options: Options) -> int:
    """Return what is held for each winner of the next decided deal (RULES.md, B6.1)."""
    held = 0
    for deal in earlier:
        if in_dispute(deal, options):
            held += _full_score(deal)[0]
        elif deal.taker is not None:
            held = 0
    return held


def carry_applies(options: Options) -> bool:
    """Whether by these house rules a deal hands anything on to the next."""
    return options.dispute == "held"


def _pairs(side: int, attack: int, defence: int) -> tuple[int, int, int, int]:
    """Return the points of both pairs; `side` is the taker's seat modulo 2."""
    return (defence, attack, defence, attack) if side else (attack, defence, attack, defence)


def _bonus(side: int, winner: str, points: int) -> tuple[int, int, int, int]:
    return _pairs(side, points, 0) if winner == "attack" else _pairs(side, 0, points)


def _slam(side: int, points: int) -> Line:
    return Line("slam", {"points": points}, "B2.3" if points == AS_WRITTEN.slam else "B6.3", _pairs(side, points, 0))


# The lines that are the same in many deals, by the taker's seat modulo 2 and the side that gets the points.
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
    """Return `taker`, `partner` or `defender`; `passed` for everyone when nobody took."""
    if deal.taker is None:
        return ("passed",) * 4
    found = ["defender"] * 4
    found[deal.taker] = "taker"
    found[(deal.taker + 2) % 4] = "partner"
    return tuple(found)


def formula(deal: Deal, options: Options, seat: int, held: int = 0) -> str:
    """Return a seat's points as 003 writes them: `75 + 10 = 85`; "" when everyone passed."""
    if deal.taker is None:
        return ""
    gained = score(deal, options, held).points[seat]
    written = _written(deal, options, held, attack=seat % 2 == deal.taker % 2)
    if options.rounding is None:
        return f"{written} = {gained}"
    to = options.rounding
    return f"⌊({written} + {to // 2}) ÷ {to}⌋ × {to} = {gained}"


def _written(deal: Deal, options: Options, held: int, *, attack: bool) -> str:
    """Return the arithmetic of a side's points, before they are rounded."""
    score_of_taker = f"{deal.points}" + " + 10" * (deal.last_trick == "attack") + " + 20" * (deal.belote == "attack")
    full, limit = _full_score(deal)
    kept = _keeps_belote(deal, options)
    more = f" + {held}" if held else ""
    if full < limit:
        if attack:
            return f"0 × ({score_of_taker})" + " + 20" * kept
        # "162 − definitive full score of the taker", which is zero
        return "162" + " + 20" * (deal.belote is not None and not kept) + " − 0" + more
    disputed = in_dispute(deal, options)
    if attack:
        slam = f" + {options.slam}" if deal.all_tricks == "attack" else ""
        return score_of_taker + (f" − {full}" if disputed else slam + more)
    return f"162 − {deal.points}" + " − 10" * (deal.last_trick == "attack") + " + 20" * (deal.belote == "defence")


def sides(seats: int) -> Sides:
    """Return the two pairs."""
    return ((0, 2), (1, 3))


def check_totals(totals: Sequence[int], deals: int) -> None:
    """Check that partners have the same total, and none is negative."""
    reading.items(totals, "totals", 4)
    for seat, given in enumerate(totals):
        reading.integer(given, f"totals.{seat}")
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
