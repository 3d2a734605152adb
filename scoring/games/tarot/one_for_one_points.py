"""What a deal one for one gives each seat (000): rates by place of one stake, and declaring."""

from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scoring.games.tarot.arithmetic import added, continued, signed
from scoring.games.tarot.cards import OUDLER, SIZES
from scoring.games.tarot.one_for_one import Members, OneForOneDeal
from scoring.games.tarot.options import Options
from scoring.games.tarot.piles import HOW_MANY
from scoring.games.tarot.places import RATES, RATES_OF_TEAMS
from scoring.rules.errors import Param
from scoring.rules.payouts import shared
from scoring.rules.score import EngineScore, Line, Suspicion, total

_new = tuple.__new__  # a named tuple's own constructor, without its detour

FACTOR = 4
BASIC = 25
SLAM = 200


class Declaring(NamedTuple):
    """A handful, a slam or the Small in the last trick; `what` is the handful's size, else "slam" or "small_last"."""

    what: str
    seat: int
    value: int


def score(deal: OneForOneDeal, options: Options) -> EngineScore:
    """Return points, one line for each reason, and doubts."""
    order, disputed = deal.places
    half_best = deal.piles[order[0]].half_difference
    best, dog = stake_of(half_best, deal.half_dog, options)
    rates, places_line = ranked(deal.members, order, disputed)
    worth_of_best, worth_of_dog = FACTOR * best, FACTOR * dog
    floored = half_best < 0 and options.best_margin_floor is not None
    code, clause = ("best_floored", "T6.3") if floored else ("best", "T5.5")
    of_best = tuple([rate * worth_of_best for rate in rates])
    of_dog = tuple([rate * worth_of_dog for rate in rates])
    lines: tuple[Line, ...] = (
        places_line,
        _new(Line, (code, {"difference": half_best / 2, "best": best}, clause, of_best)),
        _new(Line, ("dog", {"points": deal.half_dog / 2, "dog": dog}, "T5.6", of_dog)),
    )
    if deal.handfuls or deal.slam is not None or deal.small_last is not None:
        lines += tuple(
            _declaring_line(declaring, deal.seats, deal.members[deal.pile_of(declaring.seat)])
            for declaring in declarings(deal, options)
        )
        points = total(deal.seats, lines)
    else:
        whole_stake = FACTOR * (BASIC + best + dog)
        points = tuple([rate * whole_stake for rate in rates])  # the three lines' sum
    return _new(EngineScore, (points, lines, _doubts(deal)))


def stake_of(half_best: int, half_dog: int, options: Options) -> tuple[int, int]:
    """Return (best difference, dog) in whole points, each rounded to the greater integer (⌈−10.5⌉ = −10)."""
    if half_best < 0 and options.best_margin_floor is not None:
        half_best = 0
    return -(-half_best // 2), -(-half_dog // 2)


# Bounded: the orders of 6 piles in every dispute and pairing are many, those of an evening few.
@lru_cache(maxsize=4096)
def ranked(members: Members, order: tuple[int, ...], disputed: int) -> tuple[tuple[int, ...], Line]:
    """Return the rate of each seat's place, and the line that says so; mates both have their team's rate."""
    in_order = tuple(seat for number in order for seat in members[number])
    seats = len(in_order)
    by_place = RATES[seats] if len(members) == seats else RATES_OF_TEAMS[len(members)]
    rates = [0] * seats
    for rate, number in zip(by_place[disputed], order, strict=True):
        for seat in members[number]:
            rates[seat] = rate
    params: dict[str, Param] = {"value": BASIC, "seats": in_order, "rates": tuple(rates[seat] for seat in in_order)}
    if disputed > 1:
        params["disputed"] = disputed
    code = "places_disputed" if disputed > 1 else "places"
    shares = tuple(rates)
    return shares, Line(code, MappingProxyType(params), "T5.4", shared(shares, FACTOR * BASIC))


def declarings(deal: OneForOneDeal, options: Options) -> list[Declaring]:
    """Return what was declared, in the order of the lines."""
    declared = [Declaring(shown.size, shown.seat, SIZES[shown.size]) for shown in deal.handfuls]
    if deal.slam is not None:
        declared.append(Declaring("slam", deal.slam, SLAM))
    if deal.small_last is not None and options.one_for_one_small_last:
        declared.append(Declaring("small_last", deal.small_last, options.one_for_one_small_last))
    return declared


def formula(deal: OneForOneDeal, options: Options, seat: int) -> str:
    """Return a seat's points as 000 writes them: 4 × (rate × (25 + best + dog) + 3 × own declaring − the others')."""
    own: list[int] = []
    others: list[int] = []
    team = deal.members[deal.pile_of(seat)]
    for declaring in declarings(deal, options):
        (own if declaring.seat in team else others).append(declaring.value)
    best, dog = stake_of(deal.piles[deal.places.order[0]].half_difference, deal.half_dog, options)
    rate = ranked(deal.members, *deal.places)[0][seat]
    text = f"{signed(rate)} × ({added((BASIC, best, dog))})"
    if own:
        sum_of_own = added(own)
        text += f" + {deal.seats - len(team)} × " + (f"({sum_of_own})" if len(own) > 1 else sum_of_own)
    if others and len(team) == 1:
        text += continued(-value for value in others)
    elif others:
        sum_of_others = added(others)
        text += f" − {len(team)} × " + (f"({sum_of_others})" if len(others) > 1 else sum_of_others)
    return f"{FACTOR} × ({text}) = {signed(score(deal, options).points[seat])}"


@cache
def _declaring_line(declaring: Declaring, seats: int, team: tuple[int, ...]) -> Line:
    """Return the line of a declaring: its team receives the value from every seat outside it, four times."""
    value = FACTOR * declaring.value
    points = [-len(team) * value] * seats
    for seat in team:
        points[seat] = (seats - len(team)) * value
    what = declaring.what
    params = {"seat": declaring.seat, "value": declaring.value, "factor": FACTOR}
    if what in SIZES:
        return Line("own_handful", MappingProxyType({**params, "size": what}), "T5.7", tuple(points))
    return Line(f"own_{what}", MappingProxyType(params), "T5.8" if what == "slam" else "T6.4", tuple(points))


def _doubts(deal: OneForOneDeal) -> tuple[Suspicion, ...]:
    """Return doubts about points that no cards, or hardly any, can give (RULES.md, T8)."""
    doubts = []
    even = deal.seats % 2 == 0
    hidden = 3 * OUDLER
    for number, pile in enumerate(deal.piles):
        half_points = pile.half_points
        if even and half_points & 1:
            doubts.append(_half(f"piles.{number}.points", half_points, deal.seats))
        if pile.oudlers:
            least = OUDLER * HOW_MANY[pile.oudlers]
            hidden -= least
            if half_points < least:
                params = {"given": half_points / 2, "least": least / 2}
                doubts.append(Suspicion(f"piles.{number}.points", "less_than_oudlers", params))
    if even and deal.half_dog & 1:
        doubts.append(_half("dog_points", deal.half_dog, deal.seats))
    if deal.half_dog < hidden:
        doubts.append(Suspicion("dog_points", "less_than_hidden", {"given": deal.half_dog / 2, "least": hidden / 2}))
    return tuple(doubts)


def _half(field: str, half_points: int, seats: int) -> Suspicion:
    return Suspicion(field, "half_with_even_seats", {"given": half_points / 2, "players": seats})
