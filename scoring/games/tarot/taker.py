"""A deal of tarot with a taker (document 001): one seat, alone or with a partner, plays against the others.

Card points are counted in half points. The texts of the lines (reasons for points) are in words.py.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.games.tarot import handfuls
from scoring.games.tarot.arithmetic import first_term, following_terms, sum_text
from scoring.games.tarot.cards import (
    ALL_HALF_POINTS,
    HALF_POINTS_BY_POINTS,
    HANDFUL_POINTS,
    OUDLER_HALF_POINTS,
    POINTS_NEEDED,
)
from scoring.games.tarot.handfuls import Handful
from scoring.games.tarot.options import Options
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.payouts import payout
from scoring.rules.reading import boolean, checked_object, integer, quote, read_half_points, seat, word
from scoring.rules.score import DealWarning, EngineScore, Line, total

CONTRACT_RATES: Mapping[str, int] = {"take": 1, "guard": 2, "guard_without": 4, "guard_against": 6}  # document 001, 2.4
SIDES = ("attack", "defence")
FACT_KEYS = frozenset(
    {"contract", "taker", "partner", "points", "oudlers", "small_last", "handfuls", "slam_announced", "slam"}
)
REQUIRED_KEYS = frozenset({"contract", "taker", "points", "oudlers"})
_new_tuple = tuple.__new__  # faster than the constructor of a named tuple

BASIC_POINTS = 25
SMALL_LAST_POINTS = 10
SLAM_POINTS = 200
SLAM_ANNOUNCED_POINTS = 400
SLAM_FAILED_POINTS = -200
# The most half points in a dog, or in discarded cards: 6 cards of 4.5 points; at a table of five, 7 such cards and a
# queen. A slam of the attack against the dog ("guard against": the defence gets it) has at least 91 − 35 points.
MAX_HALF_POINTS_IN_DOG = 54
MAX_HALF_POINTS_IN_DOG_OF_FIVE = 70
MIN_HALF_POINTS_OF_GUARD_AGAINST_SLAM = 112
# A side that wins no trick keeps the Excuse. It has no low card to give for it, so the Excuse counts 4.
LONE_EXCUSE_HALF_POINTS = 8
SLAM_HALF_POINTS_WITHOUT_EXCUSE = ALL_HALF_POINTS - LONE_EXCUSE_HALF_POINTS


class TakerDeal(NamedTuple):
    """A deal with a taker. `half_points` are the card points, in half points, of the attack (the taker's side);
    `oudlers` is the attack's number of oudlers.

    `small_last` (winner of the Small in the last trick) and `slam` (winner of every trick) are "attack", "defence" or
    None.
    """

    seats: int
    contract: str
    taker: int
    partner: int | None
    half_points: int
    oudlers: int
    small_last: str | None
    handfuls: tuple[Handful, ...]
    slam_announced: bool
    slam: str | None


def read(seats: int, facts: Mapping[str, Any]) -> TakerDeal:
    """Return the deal of these facts (JSON of what happened; RULES.md, T7). Raise IllegalDeal.

    The caller has checked that `contract` is a contract with a taker.
    """
    if not FACT_KEYS.issuperset(facts):
        checked_object(facts, "facts", REQUIRED_KEYS, FACT_KEYS)
    get: Callable[[str], Any] = facts.get
    taker = get("taker")
    if type(taker) is not int or not 0 <= taker < seats:
        seat(taker, "taker", seats)
    partner = get("partner")
    if partner is not None:
        _check_partner(partner, taker, seats)
    oudlers = get("oudlers")
    if type(oudlers) is not int or not 0 <= oudlers <= 3:
        integer(oudlers, "oudlers", 0, 3)
    points = get("points")
    half_points = HALF_POINTS_BY_POINTS.get(points) if type(points) is float or type(points) is int else None
    if half_points is None:
        half_points = read_half_points(points, "points")
    small_last = get("small_last")
    slam = get("slam")
    maximum = ALL_HALF_POINTS - OUDLER_HALF_POINTS * (3 - oudlers)
    if not OUDLER_HALF_POINTS * oudlers <= half_points <= maximum and not _has_lone_excuse(
        facts["contract"], half_points, oudlers, slam
    ):
        raise IllegalDeal("points", "points_of_oudlers", _points_range_params(points, oudlers))
    shown_handfuls = handfuls.read(get("handfuls"), seats)
    announced = get("slam_announced")
    if announced is not None and announced is not False:
        announced = boolean(announced, "slam_announced")
    deal = _new_tuple(
        TakerDeal,
        (
            seats,
            facts["contract"],
            taker,
            partner,
            half_points,
            oudlers,
            small_last,
            shown_handfuls,
            bool(announced),
            slam,
        ),
    )
    if slam is not None:
        _check_slam(deal)
    if small_last is not None:
        _check_small_last(deal)
    return deal


def outcome_of(deal: TakerDeal, options: Options) -> tuple[bool, int] | None:
    """Return (won, margin in whole points) of the contract (document 001, 3).

    Return None if the taker is half a point short and a house rule makes such deals void.
    """
    difference = deal.half_points - 2 * POINTS_NEEDED[deal.oudlers]
    if difference == -1 and options.half_point_short != "lost":
        return (True, 0) if options.half_point_short == "won" else None
    return difference >= 0, (abs(difference) + 1) // 2


@cache
def shares_by_seat(seats: int, taker: int, partner: int | None, six_player_partner: str) -> tuple[int, ...]:
    """Return each seat's share of one stake: −1 for a defender; the attack shares the sum that the defenders pay.

    `six_player_partner` is the house rule for the shares at a table of six.
    """
    seat_shares = [-1] * seats
    if partner is None:
        seat_shares[taker] = seats - 1
    elif seats == 6 and six_player_partner == "opposite":
        seat_shares[taker] = seat_shares[partner] = 2
    else:
        seat_shares[taker] = seats - 3
        seat_shares[partner] = 1
    return tuple(seat_shares)


def score(deal: TakerDeal, options: Options) -> EngineScore:
    warnings = _warnings(deal) if deal.half_points & 1 and deal.seats & 1 == 0 else ()
    outcome = outcome_of(deal, options)
    if outcome is None:
        zeros = (0,) * deal.seats
        return EngineScore(zeros, (Line("half_point_void", {}, "T6.1", zeros),), warnings)
    won, margin = outcome
    seat_shares = shares_by_seat(deal.seats, deal.taker, deal.partner, options.six_player_partner)
    lines = [_basic_line(deal.contract, won, seat_shares), _margin_line(deal, won, margin, seat_shares)]
    if deal.small_last is not None:
        lines.append(_small_last_line(deal.contract, deal.small_last, seat_shares))
    if deal.handfuls:
        lines += [_handful_line(handful, won, seat_shares) for handful in deal.handfuls]
    if deal.slam is not None or deal.slam_announced:
        lines += [_slam_line(code, value, seat_shares) for code, value in _slam_reasons(deal)]
    return _new_tuple(EngineScore, (total(deal.seats, lines), tuple(lines), warnings))


def roles(deal: TakerDeal) -> tuple[str, ...]:
    """Return the role of each seat: "taker", "partner" or "defender"."""
    roles = ["defender"] * deal.seats
    roles[deal.taker] = "taker"
    if deal.partner is not None:
        roles[deal.partner] = "partner"
    return tuple(roles)


def formula(deal: TakerDeal, options: Options, seat: int) -> str:
    """Return the computation of a seat's points in the notation of document 001; "" if the deal is void."""
    outcome = outcome_of(deal, options)
    if outcome is None:
        return ""
    won, margin = outcome
    share = shares_by_seat(deal.seats, deal.taker, deal.partner, options.six_player_partner)[seat]
    side = 1 if share > 0 else -1
    sign = side if won else -side
    small = {None: 0, "attack": side, "defence": -side}[deal.small_last] * SMALL_LAST_POINTS
    contract = sum_text((sign * BASIC_POINTS, sign * margin, small))
    if margin or small:
        contract = f"({contract})"
    declared = [sign * HANDFUL_POINTS[handful.size] for handful in deal.handfuls]
    declared += [side * value for _, value in _slam_reasons(deal)]
    text = f"{contract} × {CONTRACT_RATES[deal.contract]}"
    if declared:
        text = f"({text}{following_terms(declared)})"
    return f"{text} × {abs(share)} = {first_term(score(deal, options).points[seat])}"


# Lines. Lines with few possible values are cached: a season repeats them thousands of times.


@cache
def _basic_line(contract: str, won: bool, seat_shares: tuple[int, ...]) -> Line:
    rate = CONTRACT_RATES[contract]
    stake = BASIC_POINTS * rate if won else -BASIC_POINTS * rate
    params: Mapping[str, Param] = MappingProxyType({"contract": contract, "rate": rate})
    return Line("contract_won" if won else "contract_lost", params, "T3.3", payout(seat_shares, stake))


def _margin_line(deal: TakerDeal, won: bool, margin: int, seat_shares: tuple[int, ...]) -> Line:
    rate = CONTRACT_RATES[deal.contract]
    stake = margin * rate if won else -margin * rate
    params: Mapping[str, Param] = {
        "margin": margin,
        "points": deal.half_points / 2,
        "oudlers": deal.oudlers,
        "limit": POINTS_NEEDED[deal.oudlers],
        "contract": deal.contract,
        "rate": rate,
    }
    points = tuple([share * stake for share in seat_shares])
    return _new_tuple(Line, ("margin_won" if won else "margin_lost", params, "T3.4", points))


@cache
def _small_last_line(contract: str, side: str, seat_shares: tuple[int, ...]) -> Line:
    rate = CONTRACT_RATES[contract]
    stake = SMALL_LAST_POINTS * rate if side == "attack" else -SMALL_LAST_POINTS * rate
    params: Mapping[str, Param] = MappingProxyType({"value": SMALL_LAST_POINTS, "contract": contract, "rate": rate})
    return Line(f"small_last_{side}", params, "T3.5", payout(seat_shares, stake))


@cache
def _handful_line(handful: Handful, won: bool, seat_shares: tuple[int, ...]) -> Line:
    value = HANDFUL_POINTS[handful.size]
    params: Mapping[str, Param] = MappingProxyType({"size": handful.size, "seat": handful.seat, "value": value})
    return Line(
        "handful_attack" if won else "handful_defence", params, "T3.6", payout(seat_shares, value if won else -value)
    )


@cache
def _slam_line(code: str, value: int, seat_shares: tuple[int, ...]) -> Line:
    clause = "T3.8" if code == "slam_defence" else "T3.7"
    return Line(code, MappingProxyType({"value": abs(value)}), clause, payout(seat_shares, value))


def _slam_reasons(deal: TakerDeal) -> list[tuple[str, int]]:
    """Return the reasons for slam points (document 001, 2.3), each as (message code, points of the attack).

    A slam of the attack is one reason, also if it was announced. An announced slam that failed is a reason, and a slam
    of the defence is another one.
    """
    if deal.slam == "attack":
        return [("slam_announced_made", SLAM_ANNOUNCED_POINTS) if deal.slam_announced else ("slam_made", SLAM_POINTS)]
    failed = [("slam_announced_failed", SLAM_FAILED_POINTS)] if deal.slam_announced else []
    return failed + ([("slam_defence", -SLAM_POINTS)] if deal.slam == "defence" else [])


# Refusals and warnings


def _check_partner(partner: object, taker: int, seats: int) -> None:
    if seats < 5:
        raise IllegalDeal("partner", "partner_needs_five", {"given": quote(partner), "players": seats})
    if seat(partner, "partner", seats) == taker:
        raise IllegalDeal("partner", "partner_is_taker", {"seat": taker})


def _has_lone_excuse(contract: str, half_points: int, oudlers: int, slam: object) -> bool:
    """Return whether the points are possible only because a side without a trick keeps its Excuse (4 points)."""
    if slam == "attack":
        return half_points == SLAM_HALF_POINTS_WITHOUT_EXCUSE and oudlers == 2
    return slam == "defence" and contract == "guard_against" and half_points == LONE_EXCUSE_HALF_POINTS and oudlers == 1


def _check_slam(deal: TakerDeal) -> None:
    side = word(deal.slam, "slam", SIDES)
    cards = (deal.half_points, deal.oudlers)
    points: Param = deal.half_points / 2
    if deal.contract != "guard_against":
        if side == "attack" and cards not in ((ALL_HALF_POINTS, 3), (SLAM_HALF_POINTS_WITHOUT_EXCUSE, 2)):
            raise IllegalDeal("slam", "slam_attack_needs_all", {"points": points, "oudlers": deal.oudlers})
        maximum = MAX_HALF_POINTS_IN_DOG_OF_FIVE if deal.seats == 5 else MAX_HALF_POINTS_IN_DOG
        if deal.oudlers:
            maximum += LONE_EXCUSE_HALF_POINTS
        if side == "defence" and deal.half_points > maximum:
            raise IllegalDeal("slam", "slam_defence_leaves", {"points": points, "most": maximum / 2})
    elif side == "attack" and deal.half_points < MIN_HALF_POINTS_OF_GUARD_AGAINST_SLAM:
        raise IllegalDeal(
            "slam", "slam_attack_needs", {"points": points, "least": MIN_HALF_POINTS_OF_GUARD_AGAINST_SLAM / 2}
        )
    elif side == "defence" and cards not in ((0, 0), (LONE_EXCUSE_HALF_POINTS, 1)):
        raise IllegalDeal("slam", "slam_defence_takes_all", {"points": points, "oudlers": deal.oudlers})


def _check_small_last(deal: TakerDeal) -> None:
    side = word(deal.small_last, "small_last", SIDES)
    if side == "attack" and deal.oudlers == 0:
        raise IllegalDeal("small_last", "small_last_no_oudler", {"oudlers": deal.oudlers})
    if side == "defence" and deal.oudlers == 3:
        raise IllegalDeal("small_last", "small_last_all_oudlers", {"oudlers": deal.oudlers})
    if deal.slam is not None and deal.slam != side:
        raise IllegalDeal("small_last", "small_last_against_slam", {"given": quote(side), "slam": deal.slam})


def _points_range_params(points: object, oudlers: int) -> dict[str, Param]:
    minimum, maximum = OUDLER_HALF_POINTS * oudlers, ALL_HALF_POINTS - OUDLER_HALF_POINTS * (3 - oudlers)
    return {"given": quote(points), "oudlers": oudlers, "least": minimum / 2, "most": maximum / 2}


def _warnings(deal: TakerDeal) -> tuple[DealWarning, ...]:
    return (DealWarning("points", "half_with_even_seats", {"given": deal.half_points / 2, "players": deal.seats}),)
