"""The rules of belote between two fixed pairs: seats 0 and 2 against seats 1 and 3. No Django.

Each line (a reason for points) cites a numbered clause of RULES.md; the source of the rules is document 003. Both
players of a pair have the same points.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.games.belote.options import HOUSE_RULES, PRESETS, Options
from scoring.games.belote.words import WORDS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules, Seats, Sides, TableLength
from scoring.rules.score import DealWarning, EngineScore, Line

CARD_POINTS = 152  # in all tricks, without the ten of the last
TEN_OF_LAST = 10
BELOTE_POINTS = 20
PAIRS: Sides = ((0, 2), (1, 3))
DEFAULT_OPTIONS = Options()
POINTS_TO_WIN, POINTS_TO_WIN_WITH_BELOTE = 81, 91  # points that the taker's side needs; 91 if any side has a belote
POINTS_IN_TRICKS = CARD_POINTS + TEN_OF_LAST
# Under any house rules, both sides together get at most this: all tricks, a belote, a slam, and 5 points for each
# side's rounding.
MAX_POINTS_OF_DEAL = POINTS_IN_TRICKS + BELOTE_POINTS + DEFAULT_OPTIONS.slam + 10
ROUNDING_UNIT = 10
FIRST_DIGIT_ROUNDED_UP: Mapping[object, int] = {
    10: 5,
    "six_up": 6,
}  # by house rule: the smallest last digit that is rounded up

SIDES = ("attack", "defence")
FACT_KEYS = frozenset({"taker", "points", "last_trick", "belote", "all_tricks", "penalty"})
# Keys of deals with a taker, in the order of the form.
_KEYS_OF_PLAYED_DEALS = ("points", "last_trick", "belote", "all_tricks")
_IMPOSSIBLE_POINTS = frozenset({1, 151})


class Deal(NamedTuple):
    """The facts of a deal. `taker` is None if everyone passed, or after an irregularity (`penalty`).

    If `taker` is None, the values from `points` to `all_tricks` have no meaning.
    """

    taker: int | None
    points: int  # card points of the taker's pair, 0 to 152, without the ten of the last trick
    last_trick: str  # "attack" or "defence"
    belote: str | None  # the side that declared belote and rebelote
    all_tricks: str | None  # the side that won every trick
    penalty: int | None  # the seat with the irregularity


PASSED_DEAL = Deal(None, 0, "defence", None, None, None)
_new_tuple = tuple.__new__  # faster than the constructor of a named tuple


def read(seats: int, facts: object) -> Deal:
    if type(facts) is not dict or not facts.keys() <= FACT_KEYS:
        facts = reading.checked_object(facts, "facts", frozenset(), FACT_KEYS)
    taker: Any = facts.get("taker")
    points: Any = facts.get("points")
    last_trick: Any = facts.get("last_trick")
    belote: Any = facts.get("belote")
    all_tricks: Any = facts.get("all_tricks")
    if facts.get("penalty") is not None:
        return _read_penalty(facts, seats)
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
    return _new_tuple(Deal, (taker, points, last_trick, belote, all_tricks, None))


def _read_penalty(facts: Mapping[str, object], seats: int) -> Deal:
    penalty = reading.seat(facts["penalty"], "penalty", seats)
    for name in ("taker", *_KEYS_OF_PLAYED_DEALS):
        if facts.get(name) is not None:
            raise IllegalDeal(name, "penalty_alone", {"given": reading.quote(facts[name])})
    return PASSED_DEAL._replace(penalty=penalty)


def _read_passed(facts: Mapping[str, object]) -> Deal:
    for name in _KEYS_OF_PLAYED_DEALS:
        if facts.get(name) is not None:
            raise IllegalDeal(name, "passed_alone", {"given": reading.quote(facts[name])})
    return PASSED_DEAL


def _check_slam(side: str, points: int, last_trick: str) -> None:
    """Check that a side with every trick has all card points and the last trick (RULES.md, B5.3). Raise IllegalDeal."""
    if last_trick == side and points == (CARD_POINTS if side == "attack" else 0):
        return
    raise IllegalDeal("all_tricks", f"slam_of_{side}", {"points": points, "side": last_trick})


def score(deal: Deal, options: Options, held_points: int = 0, *, last: bool = False) -> EngineScore:
    """Return the points of a deal by seat, with the lines (reasons for points) that explain them.

    `held_points`: points of earlier disputed deals, for each player of the side that wins this deal. `last`: this is
    the table's last deal.
    """
    taker, points, last_trick, belote, all_tricks, penalty = deal
    if taker is None:
        return _NO_SCORE if penalty is None else _score_penalty(penalty, options, held_points, last=last)
    side = taker % 2
    attack, defence = points, CARD_POINTS - points
    lines = [
        Line("card_points", {"attack": attack, "defence": defence}, "B1.3", _points_by_seat(side, attack, defence)),
        _LAST_TRICK_LINES[side, last_trick],
    ]
    if last_trick == "attack":
        attack += TEN_OF_LAST
    else:
        defence += TEN_OF_LAST
    limit = POINTS_TO_WIN
    if belote is not None:
        limit = POINTS_TO_WIN_WITH_BELOTE
        lines.append(_BELOTE_LINES[side, belote])
        if belote == "attack":
            attack += BELOTE_POINTS
        else:
            defence += BELOTE_POINTS
    if attack < limit:
        lines.append(
            Line("contract_lost", {"full": attack, "limit": limit}, "B3.3", _points_by_seat(side, -attack, attack))
        )
        attack, defence = 0, defence + attack
    elif all_tricks == "attack" and options.slam:
        attack += options.slam
        lines.append(_slam_line(side, options.slam))
    if options != DEFAULT_OPTIONS:
        attack, defence = _apply_house_rules(deal, options, held_points, lines, attack, defence, last=last)
    warnings = (DealWarning("points", "no_such_points", {"points": points}),) if points in _IMPOSSIBLE_POINTS else ()
    return EngineScore(_points_by_seat(side, attack, defence), tuple(lines), warnings)


_NO_SCORE = EngineScore((0, 0, 0, 0), (), ())


def _score_penalty(penalty: int, options: Options, held_points: int, *, last: bool) -> EngineScore:
    """Return the points of a deal with an irregularity (RULES.md, B4.2). `penalty` is the seat that committed it."""
    side = penalty % 2
    lines = [
        Line(
            "penalty", {"seat": penalty, "points": POINTS_IN_TRICKS}, "B4.2", _points_by_seat(side, 0, POINTS_IN_TRICKS)
        )
    ]
    winners = POINTS_IN_TRICKS
    if held_points:
        points = _points_by_seat(side, 0, held_points)
        lines.append(Line("held_before_penalty", {"points": held_points}, "B6.1", points))
        winners += held_points
    _loser, winners = _round_points(options, lines, side, 0, winners, last=last)
    return EngineScore(_points_by_seat(side, 0, winners), tuple(lines), ())


def _apply_house_rules(
    deal: Deal, options: Options, held_points: int, lines: list[Line], attack: int, defence: int, *, last: bool
) -> tuple[int, int]:
    """Return the points of attack and defence after the house rules (RULES.md, B6). Append the lines (reasons for
    points) of the house rules.

    `attack` and `defence` are the points before the house rules.
    """
    assert deal.taker is not None
    side = deal.taker % 2
    full, limit = _full_score(deal)
    contract_made = is_made(deal, options)
    if is_replayed(deal, options):
        lines.append(Line("replayed", {"full": full}, "B6.6", _points_by_seat(side, -attack, -defence)))
        return 0, 0
    if full == limit and not contract_made:
        lines.append(Line("lost_at_limit", {"full": full}, "B6.6", _points_by_seat(side, -full, full)))
        attack, defence = 0, defence + full
    if not contract_made and _keeps_belote(deal, options):
        attack, defence = attack + BELOTE_POINTS, defence - BELOTE_POINTS
        lines.append(
            Line(
                "belote_stays", {"points": BELOTE_POINTS}, "B6.2", _points_by_seat(side, BELOTE_POINTS, -BELOTE_POINTS)
            )
        )
    if deal.all_tricks == "defence" and options.slam_defence and options.slam:
        defence += options.slam
        lines.append(
            Line("slam_of_defence_wins", {"points": options.slam}, "B6.8", _points_by_seat(side, 0, options.slam))
        )
    if is_disputed(deal, options):
        if last and options.dispute_at_end == "shared":
            lines.append(Line("dispute_shared", {"full": full}, "B6.7", (0, 0, 0, 0)))
        else:
            attack = 0
            code, clause = ("dispute_lapses", "B6.7") if last else ("in_dispute", "B6.1")
            lines.append(Line(code, {"full": full}, clause, _points_by_seat(side, -full, 0)))
    elif held_points:
        winner = "attack" if contract_made else "defence"
        lines.append(
            Line(
                "held_before",
                {"points": held_points, "side": winner},
                "B6.1",
                _points_of_winning_side(side, winner, held_points),
            )
        )
        if winner == "defence":
            defence += held_points
        else:
            attack += held_points
    return _round_points(options, lines, side, attack, defence, last=last)


def _round_points(
    options: Options, lines: list[Line], side: int, attack: int, defence: int, *, last: bool
) -> tuple[int, int]:
    """Return the rounded points of attack and defence, and append a line (reason for points) for the change.

    `side` is the seat modulo 2 of the players with the points `attack`.
    """
    if not is_rounded(options, last=last):
        return attack, defence
    up = ROUNDING_UNIT - FIRST_DIGIT_ROUNDED_UP[options.rounding]
    rounded = [(points + up) // ROUNDING_UNIT * ROUNDING_UNIT for points in (attack, defence)]
    if rounded != [attack, defence]:
        code = "rounded" if options.rounding == ROUNDING_UNIT else "rounded_six_up"
        changes = _points_by_seat(side, rounded[0] - attack, rounded[1] - defence)
        lines.append(Line(code, {"to": ROUNDING_UNIT}, "B6.4", changes))
    return rounded[0], rounded[1]


def is_rounded(options: Options, *, last: bool) -> bool:
    return options.rounding is not None and not (last and options.last_deal_exact)


def _full_score(deal: Deal) -> tuple[int, int]:
    """Return (score of the taker's side with bonuses, score that the side needs to win the contract) (RULES.md, B3)."""
    full = deal.points + TEN_OF_LAST * (deal.last_trick == "attack") + BELOTE_POINTS * (deal.belote == "attack")
    return full, POINTS_TO_WIN if deal.belote is None else POINTS_TO_WIN_WITH_BELOTE


def is_made(deal: Deal, options: Options) -> bool:
    """Return whether the taker's side made the contract: its score reaches the limit of `_full_score`.

    With the house rule `dispute` = "lost" the score must be above the limit. With "held" and "replayed" a score equal
    to the limit has further effects: see `is_disputed` and `is_replayed`.
    """
    full, limit = _full_score(deal)
    return deal.taker is not None and (full > limit or (full == limit and options.dispute != "lost"))


def is_disputed(deal: Deal, options: Options) -> bool:
    """Return whether the taker's points are held for the winner of the next deal (RULES.md, B6.1)."""
    return options.dispute == "held" and _is_at_limit(deal)


def is_replayed(deal: Deal, options: Options) -> bool:
    """Return whether the deal gives no points, because the taker's side has exactly the limit (RULES.md, B6.6)."""
    return options.dispute == "replayed" and _is_at_limit(deal)


def _is_at_limit(deal: Deal) -> bool:
    full, limit = _full_score(deal)
    return deal.taker is not None and full == limit


def _keeps_belote(deal: Deal, options: Options) -> bool:
    """Return whether the taker's side keeps its belote if the contract is lost (RULES.md, B6.2)."""
    return options.failed_belote == "holder" and deal.belote == "attack"


def carry(earlier: Sequence[Deal], options: Options) -> int:
    """Return the points of earlier disputed deals that the winner of the next deal gets (RULES.md, B6.1)."""
    points = 0
    for deal in earlier:
        if is_disputed(deal, options):
            points += _full_score(deal)[0]
        elif deal.taker is not None or deal.penalty is not None:
            points = 0
    return points


def held_points(deals: Sequence[Deal], options: Options, *, last: bool = False) -> int:
    """Return the points of disputed deals that no side has won after these deals.

    `last`: the last of these deals is the table's last; if its points are shared by a house rule, they are not held.
    """
    if last and deals and options.dispute_at_end == "shared" and is_disputed(deals[-1], options):
        return carry(deals[:-1], options)
    return carry(deals, options)


def last_flag_has_effect(options: Options) -> bool:
    return (options.last_deal_exact and options.rounding is not None) or options.dispute == "held"


def may_be_dealt_again(deal: Deal, options: Options) -> bool:
    return (deal.taker is None and deal.penalty is None) or is_replayed(deal, options)


def carry_has_effect(options: Options) -> bool:
    return options.dispute == "held"


def _points_by_seat(taker_side: int, attack: int, defence: int) -> tuple[int, int, int, int]:
    """Return the points of attack and defence by seat; `taker_side` is the taker's seat modulo 2."""
    return (defence, attack, defence, attack) if taker_side else (attack, defence, attack, defence)


def _points_of_winning_side(taker_side: int, winner: str, points: int) -> tuple[int, int, int, int]:
    return _points_by_seat(taker_side, points, 0) if winner == "attack" else _points_by_seat(taker_side, 0, points)


def _slam_line(side: int, points: int) -> Line:
    return Line(
        "slam",
        {"points": points},
        "B2.3" if points == DEFAULT_OPTIONS.slam else "B6.3",
        _points_by_seat(side, points, 0),
    )


# Lines that occur in many deals, created once: by the taker's seat modulo 2 and the side that gets the points.
_LAST_TRICK_LINES = {
    (side, winner): Line(
        "ten_of_last", MappingProxyType({"side": winner}), "B2.1", _points_of_winning_side(side, winner, TEN_OF_LAST)
    )
    for side in (0, 1)
    for winner in SIDES
}
_BELOTE_LINES = {
    (side, winner): Line(
        "belote", MappingProxyType({"side": winner}), "B2.2", _points_of_winning_side(side, winner, BELOTE_POINTS)
    )
    for side in (0, 1)
    for winner in SIDES
}


def roles(deal: Deal) -> tuple[str, ...]:
    if deal.penalty is not None:
        roles = ["unpenalised"] * 4
        roles[deal.penalty] = "penalised"
        roles[(deal.penalty + 2) % 4] = "penalised_mate"
        return tuple(roles)
    if deal.taker is None:
        return ("passed",) * 4
    roles = ["defender"] * 4
    roles[deal.taker] = "taker"
    roles[(deal.taker + 2) % 4] = "partner"
    return tuple(roles)


def formula(deal: Deal, options: Options, seat: int, held_points: int = 0, *, last: bool = False) -> str:
    """Return the computation of a seat's points as document 003 writes it: `75 + 10 = 85`.

    Return "" if the deal is passed or replayed, and for the side of a seat with an irregularity. `held_points` come
    from earlier deals in dispute; `last` is true for the last deal of a table.
    """
    points = score(deal, options, held_points, last=last).points[seat]
    if deal.taker is None:
        if deal.penalty is None or seat % 2 == deal.penalty % 2:
            return ""
        terms = f"{POINTS_IN_TRICKS} + {held_points}" if held_points else f"{POINTS_IN_TRICKS}"
    elif is_replayed(deal, options):
        return ""
    else:
        terms = _side_formula(deal, options, held_points, attack=seat % 2 == deal.taker % 2, last=last)
    if not is_rounded(options, last=last):
        return f"{terms} = {points}"
    added = ROUNDING_UNIT - FIRST_DIGIT_ROUNDED_UP[options.rounding]
    return f"⌊({terms} + {added}) ÷ {ROUNDING_UNIT}⌋ × {ROUNDING_UNIT} = {points}"


def _side_formula(deal: Deal, options: Options, held_points: int, *, attack: bool, last: bool) -> str:
    """Return the terms of a side's points before rounding: "75 + 10". `attack` is false for the defence."""
    score_of_taker = f"{deal.points}" + " + 10" * (deal.last_trick == "attack") + " + 20" * (deal.belote == "attack")
    slam = f" + {options.slam}" if options.slam else ""
    held_term = f" + {held_points}" if held_points else ""
    if not is_made(deal, options):
        keeps_belote = _keeps_belote(deal, options)
        if attack:
            return f"0 × ({score_of_taker})" + " + 20" * keeps_belote
        # "162 − definitive full score of the taker", which is zero
        full_score = "162" + " + 20" * (deal.belote is not None and not keeps_belote) + " − 0"
        return full_score + (slam if options.slam_defence and deal.all_tricks == "defence" else "") + held_term
    if not attack:
        return f"162 − {deal.points}" + " − 10" * (deal.last_trick == "attack") + " + 20" * (deal.belote == "defence")
    if not is_disputed(deal, options):
        return score_of_taker + (slam if deal.all_tricks == "attack" else "") + held_term
    if last and options.dispute_at_end == "shared":
        return score_of_taker
    return f"{score_of_taker} − {_full_score(deal)[0]}"


def sides(seats: int, options: Options) -> Sides:
    return PAIRS


def check_totals(totals: Sequence[int], deals: int, options: Options) -> None:
    reading.items(totals, "totals", 4)
    for seat, total in enumerate(totals):
        reading.integer(total, f"totals.{seat}")
    for seat in (2, 3):
        if totals[seat] != totals[seat - 2]:
            raise IllegalDeal(f"totals.{seat}", "mates_differ", {"given": totals[seat], "allowed": totals[seat - 2]})
    if deals and totals[0] + totals[1] > MAX_POINTS_OF_DEAL * deals:
        params = {"given": totals[0] + totals[1], "most": MAX_POINTS_OF_DEAL * deals, "deals": deals}
        raise IllegalDeal("totals", "totals_too_many", params)


RULES = Rules(
    seats=Seats(4, 4),
    length=TableLength("deals", 4, 8, 12),
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
    presets=PRESETS,
    carry=carry,
    carry_has_effect=carry_has_effect,
    held_points=held_points,
    scores_last_deal=True,
    last_flag_has_effect=last_flag_has_effect,
    may_be_dealt_again=may_be_dealt_again,
)
