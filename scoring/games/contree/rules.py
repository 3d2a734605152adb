"""The rules of contrée (coinche) between two fixed pairs: seats 0 and 2 against seats 1 and 3. No Django.

Each line (a reason for points) cites a numbered clause of RULES.md. If a house rule (C5) has not its default value, the
line cites the clause of the house rule too. Both players of a pair have the same points.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.games.contree.options import HOUSE_RULES, PRESETS, Options, make_options
from scoring.games.contree.words import WORDS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.interface import Rules, Seats, Sides, TableLength
from scoring.rules.score import DealWarning, EngineScore, Line

CARD_POINTS = 152  # in all tricks, without the ten of the last
TEN_OF_LAST = 10
BELOTE_POINTS = 20
CONTRACT_POINTS = tuple(range(80, 190, 10))
CAPOT, GENERALE = "capot", "generale"  # contracts of every trick: for the pair, for the taker alone
CONTRACTS: tuple[int | str, ...] = (*CONTRACT_POINTS, CAPOT, GENERALE)
TRUMPS = ("clubs", "diamonds", "hearts", "spades", "no_trump", "all_trumps")
DOUBLES = ("double", "redouble")
SIDES = ("attack", "defence")
PAIRS: Sides = ((0, 2), (1, 3))
WINNERS = (*SIDES, "taker")  # the possible winners of every trick; "taker": the taker alone
MAX_ANNOUNCEMENT_POINTS = 1000
CACHED_LINES = 16384  # size of the caches of lines: creating a line is slow, and the same lines occur in many deals

_KEYS_OF_PLAYED_DEALS = (
    "contract",
    "trump",
    "double",
    "points",
    "last_trick",
    "all_tricks",
    "belotes",
    "announcements",
)  # keys of deals with a taker, in the order of the form
FACT_KEYS = frozenset({"taker", *_KEYS_OF_PLAYED_DEALS})
_SIDE_KEYS = frozenset(SIDES)
_CONTRACT_NUMBERS, _TRUMPS = frozenset(CONTRACT_POINTS), frozenset(TRUMPS)
_NO_KEYS: frozenset[str] = frozenset()
_NONE_BY_SIDE = (0, 0)
_MAX_BELOTES_BY_TRUMP = {"no_trump": 0, "all_trumps": 4}
_IMPOSSIBLE_POINTS = frozenset({1, 151})

ByAttackAndDefence = tuple[int, int]


class Deal(NamedTuple):
    """The facts of a deal. `taker` is None if everyone passed; then the other values have no meaning."""

    taker: int | None
    contract: int | str  # 80 to 180, "capot" or "generale"
    trump: str
    double: str | None
    points: int  # card points of the taker's side, 0 to 152, without the ten of the last trick
    last_trick: str  # "attack" or "defence"
    all_tricks: str | None  # "taker": the taker alone won them
    belotes: ByAttackAndDefence  # numbers of declared belotes (king and queen of a trump suit)
    announcements: ByAttackAndDefence  # points of the sequences and fours of a kind


DEFAULT_OPTIONS = Options()  # the first choices of RULES.md
PASSED_DEAL = Deal(None, 80, "spades", None, 0, "defence", None, _NONE_BY_SIDE, _NONE_BY_SIDE)
_NO_SCORE = EngineScore((0, 0, 0, 0), (), ())


def read(seats: int, facts: object) -> Deal:
    if type(facts) is not dict or not facts.keys() <= FACT_KEYS:
        facts = reading.checked_object(facts, "facts", _NO_KEYS, FACT_KEYS)
    get = facts.get
    taker: Any = get("taker")
    if taker is None and "taker" in facts:
        return _read_passed(facts)
    if type(taker) is not int or not 0 <= taker <= 3:
        reading.seat(taker, "taker", seats)
    contract: Any = get("contract")
    if type(contract) is not int or contract not in _CONTRACT_NUMBERS:
        _check_contract(contract)
    trump: Any = get("trump")
    if type(trump) is not str or trump not in _TRUMPS:
        reading.word(trump, "trump", TRUMPS)
    double: Any = get("double")
    if double is not None:
        reading.word(double, "double", DOUBLES)
    points: Any = get("points")
    if type(points) is not int or not 0 <= points <= CARD_POINTS:
        reading.integer(points, "points", 0, CARD_POINTS)
    last_trick: Any = get("last_trick")
    if last_trick not in SIDES:
        reading.word(last_trick, "last_trick", SIDES)
    all_tricks: Any = get("all_tricks")
    if all_tricks is not None:
        _check_all_tricks(reading.word(all_tricks, "all_tricks", WINNERS), points, last_trick)
    raw_belotes, raw_announcements = get("belotes"), get("announcements")
    belotes = _NONE_BY_SIDE if raw_belotes is None else _read_belotes(raw_belotes, trump)
    announcements = _NONE_BY_SIDE if raw_announcements is None else _read_announcements(raw_announcements)
    return Deal(taker, contract, trump, double, points, last_trick, all_tricks, belotes, announcements)


def _read_passed(facts: Mapping[str, object]) -> Deal:
    for name in _KEYS_OF_PLAYED_DEALS:
        if facts.get(name) is not None:
            raise IllegalDeal(name, "passed_alone", {"given": reading.quote(facts[name])})
    return PASSED_DEAL


def _check_contract(contract: object) -> None:
    if contract is None:
        raise IllegalDeal("contract", "missing")
    if type(contract) is not str or contract not in (CAPOT, GENERALE):
        raise IllegalDeal("contract", "no_contract", {"given": reading.quote(contract)})


def _check_all_tricks(winner: str, points: int, last_trick: str) -> None:
    """Check that a side with every trick has all card points and the last trick (RULES.md, C7.3). Raise IllegalDeal."""
    side = "defence" if winner == "defence" else "attack"
    if last_trick == side and points == (CARD_POINTS if side == "attack" else 0):
        return
    raise IllegalDeal("all_tricks", f"every_trick_of_{side}", {"points": points, "side": last_trick})


def max_belotes(trump: str) -> int:
    return _MAX_BELOTES_BY_TRUMP.get(trump, 1)


def _read_belotes(raw: object, trump: str) -> ByAttackAndDefence:
    attack, defence = _read_sides(raw, "belotes", 4)
    if not attack and not defence:
        return _NONE_BY_SIDE
    maximum = max_belotes(trump)
    if attack + defence > maximum:
        raise IllegalDeal("belotes", "too_many_belotes", {"given": attack + defence, "most": maximum, "trump": trump})
    return attack, defence


def _read_announcements(raw: object) -> ByAttackAndDefence:
    sums = _read_sides(raw, "announcements", MAX_ANNOUNCEMENT_POINTS)
    for side, points in zip(SIDES, sums, strict=True):
        if points % 10:
            raise IllegalDeal(f"announcements.{side}", "not_by_tens", {"given": points})
    if all(sums):
        raise IllegalDeal("announcements", "both_announce", {"attack": sums[0], "defence": sums[1]})
    return sums


def _read_sides(raw: object, field: str, maximum: int) -> ByAttackAndDefence:
    if type(raw) is dict and len(raw) == 2:
        first, second = raw.get("attack"), raw.get("defence")
        if type(first) is int and type(second) is int and 0 <= first <= maximum and 0 <= second <= maximum:
            return first, second
    values = reading.checked_object(raw, field, _NO_KEYS, _SIDE_KEYS)
    attack, defence = (
        0 if values.get(side) is None else reading.integer(values[side], f"{field}.{side}", 0, maximum)
        for side in SIDES
    )
    return attack, defence


# The result of a deal (RULES.md, C2 and C3). A plain tuple is created faster than a named tuple. Its values are:
# - the points of the attack, and the points of the defence, for cards and last trick, or for every trick;
# - the attack's points that count towards the contract;
# - the defence's points with belotes and announcements, if the attack reaches its contract and a house rule requires
#   more points than the defence has; else -1;
# - whether the contract is made.
Outcome = tuple[int, int, int, int, bool]


def outcome_of(deal: Deal, options: Options) -> Outcome:
    """Return the result of a deal before bonuses. Raise IllegalDeal for announcements if the house rules do not allow
    them.
    """
    _taker, contract, _trump, _double, points, last_trick, all_tricks, belotes, announcements = deal
    if announcements != _NONE_BY_SIDE and not options.announcements:
        raise IllegalDeal("announcements", "no_announcements", {"given": max(announcements)})
    attack = points + TEN_OF_LAST if last_trick == "attack" else points
    defence = CARD_POINTS + TEN_OF_LAST - attack
    if all_tricks is not None:
        announced = sum(announcements)
        if all_tricks == "defence":
            attack, defence, announcements = 0, options.all_tricks, (0, announced)
        else:
            attack, defence, announcements = options.all_tricks, 0, (announced, 0)
    full, against = attack + announcements[0], -1
    if options.belote_helps:
        full += BELOTE_POINTS * belotes[0]
    if isinstance(contract, int):
        contract_made = full >= contract
        if contract_made and options.must_beat_defence:
            against = defence + BELOTE_POINTS * belotes[1] + announcements[1]
            contract_made = attack + BELOTE_POINTS * belotes[0] + announcements[0] > against
    else:
        contract_made = all_tricks == "taker" or (contract == CAPOT and all_tricks == "attack")
    return attack, defence, full, against, contract_made


def is_made(deal: Deal, options: Options) -> bool:
    return deal.taker is not None and outcome_of(deal, options)[-1]


def score(deal: Deal, options: Options) -> EngineScore:
    """Return the points of a deal by seat, with the lines (reasons for points) that explain them.

    Raise IllegalDeal for announcements if the house rules do not allow them.
    """
    taker, contract, _trump, double, points, last_trick, all_tricks, belotes, announced = deal
    if taker is None:
        return _NO_SCORE
    side = taker % 2
    attack, defence, full, against, contract_made = outcome_of(deal, options)
    lines: list[Line] = []
    keeps_own = contract_made and double is None
    flat = options.capot_scoring == "flat" and isinstance(contract, str)
    if not keeps_own or flat or options.scoring == "contract":
        attack = defence = 0
    elif all_tricks is None:
        lines += (_CARD_POINTS_LINES[side][points], _LAST_TRICK_LINES[side, last_trick])
    else:
        lines.append(_every_trick_line(side, all_tricks, attack or defence, options))
    stake = _deal_stake(deal, options, flat=flat, contract_made=contract_made)
    if stake.points:
        lines.append(_stake_line(side, contract, double, full, against, contract_made, stake))
        if contract_made:
            attack += stake.points
        else:
            defence += stake.points
    if options.scoring != "contract" and (belotes != _NONE_BY_SIDE or announced != _NONE_BY_SIDE):
        for line in _bonus_lines(deal, options, keeps_own=keeps_own, contract_made=contract_made):
            lines.append(line)
            attack += line.points[side]
            defence += line.points[1 - side]
    if options.rounding is not None:
        change = _rounding_change(options.rounding, attack), _rounding_change(options.rounding, defence)
        if change != _NONE_BY_SIDE:
            lines.append(Line(f"rounded_{options.rounding}", _NO_PARAMS, "C4.6, C5.13", _points_by_seat(side, *change)))
            attack, defence = attack + change[0], defence + change[1]
    return EngineScore(_points_by_seat(side, attack, defence), tuple(lines), _warnings(deal))


def _warnings(deal: Deal) -> tuple[DealWarning, ...]:
    points = deal.points
    if points in _IMPOSSIBLE_POINTS and deal.trump != "all_trumps":
        return (DealWarning("points", "no_such_points", {"points": points}),)
    if deal.all_tricks is None and points == (CARD_POINTS if deal.last_trick == "attack" else 0):
        return (DealWarning("all_tricks", "every_trick_too", {"side": deal.last_trick}),)
    return ()


class Stake(NamedTuple):
    """The points that only the winning side of a deal gets, without bonuses (RULES.md, C4).

    `text` is the computation of `points`, such as "160 + 80 × 2". `house_clauses` lists the clauses of changed house
    rules, each after a comma (", C5.1"), or is empty.
    """

    points: int
    text: str
    house_clauses: str


def _deal_stake(deal: Deal, options: Options, *, flat: bool, contract_made: bool) -> Stake:
    """Return the stake of a deal. `flat`: an announced capot or générale counts its value and nothing more (C5.4)."""
    contract, double = deal.contract, deal.double
    house_clauses = "" if options.scoring == "points_and_contract" else ", C5.1"
    if deal.belotes[0] and not options.belote_helps:
        house_clauses += ", C5.10"
    if options.scoring == "points" and not flat:
        value = 0
    elif isinstance(contract, int):
        value = contract
    elif contract == CAPOT:
        value = options.capot
        house_clauses += "" if value == DEFAULT_OPTIONS.capot else ", C5.3"
    else:
        value = options.generale
        house_clauses += "" if value == DEFAULT_OPTIONS.generale else ", C5.5"
    if flat:
        house_clauses += ", C5.4"
    if contract_made and double is None:
        return _build_stake(0, value, 1, False, house_clauses)
    base = 0
    if not flat and options.scoring != "contract" and (double is None or options.doubled_base != "none"):
        winner_has_all = deal.all_tricks is not None and (deal.all_tricks != "defence") == contract_made
        if winner_has_all:
            base = options.all_tricks
            house_clauses += "" if base == DEFAULT_OPTIONS.all_tricks else ", C5.6"
        else:
            base = options.failed_base
            house_clauses += "" if base == DEFAULT_OPTIONS.failed_base else ", C5.2"
    factor = 1 if double is None else 2 if double == "double" else options.redouble
    if double == "redouble" and factor != DEFAULT_OPTIONS.redouble:
        house_clauses += ", C5.7"
    if double is not None and not flat and options.scoring != "contract" and options.doubled_base != "plain":
        house_clauses += ", C5.8"
    return _build_stake(base, value, factor, options.doubled_base == "multiplied", house_clauses)


@cache
def _build_stake(base: int, value: int, factor: int, all_multiplied: bool, house_clauses: str) -> Stake:
    """Return the stake of a contract.

    `value` are the points of the contract, `base` the other points of the stake. `factor` is 1 without a double. It
    multiplies `value`, and with `all_multiplied` also `base`.
    """
    terms = " + ".join(str(term) for term in (base, value) if term)
    if factor == 1:
        return Stake(base + value, terms, house_clauses)
    if not all_multiplied:
        text = " + ".join([*([str(base)] if base else []), *([f"{value} × {factor}"] if value else [])])
        return Stake(base + value * factor, text, house_clauses)
    text = f"({terms}) × {factor}" if base and value else f"{terms} × {factor}"
    return Stake((base + value) * factor, text, house_clauses)


@lru_cache(maxsize=CACHED_LINES)
def _stake_line(
    side: int, contract: int | str, double: str | None, full: int, against: int, contract_made: bool, stake: Stake
) -> Line:
    """Return the line (a reason for points) of the contract: made or failed, with the winning side's points."""
    params: dict[str, Param] = {"contract": contract, "sum": stake.text}
    code = "made" if contract_made else "failed"
    if isinstance(contract, str):
        code += "_every"
    else:
        params["full"] = full
        if against >= 0 and not contract_made:
            code += "_against"
            params["against"] = against
    clause = "C4.1" if contract_made else "C4.2"
    if double is not None:
        code += "_doubled"
        params["double"] = double
        clause = "C4.3"
    if "against" in params:
        clause += ", C5.11"
    winner = "attack" if contract_made else "defence"
    return Line(
        code,
        MappingProxyType(params),
        clause + stake.house_clauses,
        _points_of_winning_side(side, winner, stake.points),
    )


def _bonus_lines(deal: Deal, options: Options, *, keeps_own: bool, contract_made: bool) -> list[Line]:
    """Return the lines (reasons for points) of belotes and announcements (RULES.md, C4.4 and C4.5).

    `keeps_own`: each side keeps its own belotes and announcements.
    """
    assert deal.taker is not None
    side = deal.taker % 2
    winner = "attack" if contract_made else "defence"
    lines = []
    for owner, number, announced in zip(SIDES, deal.belotes, deal.announcements, strict=True):
        if number:
            receiver = owner if keeps_own or options.failed_belote == "holder" else winner
            clause = "C4.4" if keeps_own or options.failed_belote == DEFAULT_OPTIONS.failed_belote else "C4.4, C5.9"
            lines.append(_bonus_line(side, "belote", clause, owner, receiver, BELOTE_POINTS * number))
        if announced:
            receiver = owner if keeps_own else winner
            if keeps_own and deal.all_tricks is not None:
                receiver = "defence" if deal.all_tricks == "defence" else "attack"
            lines.append(_bonus_line(side, "announcements", "C4.5", owner, receiver, announced))
    return lines


@lru_cache(maxsize=CACHED_LINES)
def _bonus_line(side: int, code: str, clause: str, owner: str, receiver: str, points: int) -> Line:
    params: Mapping[str, Param] = MappingProxyType({"side": owner, "points": points})
    return Line(
        code if receiver == owner else f"{code}_lost", params, clause, _points_of_winning_side(side, receiver, points)
    )


def _rounding_change(rounding: str, points: int) -> int:
    """Return the points that rounding to the nearest ten adds. 5 goes up with "five_up" and down with "six_up"."""
    return (points + (5 if rounding == "five_up" else 4)) // 10 * 10 - points


def _points_by_seat(taker_side: int, attack: int, defence: int) -> tuple[int, int, int, int]:
    """Return the points of attack and defence by seat; `taker_side` is the taker's seat modulo 2."""
    return (defence, attack, defence, attack) if taker_side else (attack, defence, attack, defence)


def _points_of_winning_side(taker_side: int, winner: str, points: int) -> tuple[int, int, int, int]:
    return _points_by_seat(taker_side, points, 0) if winner == "attack" else _points_by_seat(taker_side, 0, points)


def _every_trick_line(side: int, winner: str, points: int, options: Options) -> Line:
    winning_side = "defence" if winner == "defence" else "attack"
    clause = "C2.2" if options.all_tricks == DEFAULT_OPTIONS.all_tricks else "C2.2, C5.6"
    return Line(
        "every_trick",
        {"side": winning_side, "points": points},
        clause,
        _points_of_winning_side(side, winning_side, points),
    )


_NO_PARAMS: Mapping[str, Param] = MappingProxyType({})
# Lines of many deals, created once: by the taker's seat modulo 2, then by card points or the last trick's winner.
_CARD_POINTS_LINES = tuple(
    tuple(
        Line(
            "card_points",
            MappingProxyType({"attack": points, "defence": CARD_POINTS - points}),
            "C2.1",
            _points_by_seat(side, points, CARD_POINTS - points),
        )
        for points in range(CARD_POINTS + 1)
    )
    for side in (0, 1)
)
_LAST_TRICK_LINES = {
    (side, winner): Line(
        "ten_of_last", MappingProxyType({"side": winner}), "C2.1", _points_of_winning_side(side, winner, TEN_OF_LAST)
    )
    for side in (0, 1)
    for winner in SIDES
}


def roles(deal: Deal) -> tuple[str, ...]:
    return _ROLES[deal.taker]


_ROLES: Mapping[int | None, tuple[str, ...]] = {
    None: ("passed",) * 4,
    0: ("taker", "defender", "partner", "defender"),
    1: ("defender", "taker", "defender", "partner"),
    2: ("partner", "defender", "taker", "defender"),
    3: ("defender", "partner", "defender", "taker"),
}


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
    length=TableLength("deals", 4, 8, 12),
    words=WORDS,
    read=read,
    score=score,
    roles=roles,
    sides=sides,
    check_totals=check_totals,
    never_negative=True,
    options=make_options,
    house_rules=HOUSE_RULES,
    presets=PRESETS,
)
