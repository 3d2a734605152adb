"""The points of a deal "one for one", in which everyone passed (rules: document 000).

The cards of each player or team are a pile. The piles are ranked, and each rank has a rate, such as 2, 1, −1 and −2.
The points are the rate multiplied by the stake, which is the same for all piles; declarations are added.
"""

from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scoring.games.tarot.arithmetic import first_term, following_terms, sum_text
from scoring.games.tarot.cards import HANDFUL_POINTS, OUDLER_HALF_POINTS
from scoring.games.tarot.one_for_one import OneForOneDeal, SeatsOfPiles
from scoring.games.tarot.options import Options
from scoring.games.tarot.pile_order import RATES_BY_RANK, TEAM_RATES_BY_RANK
from scoring.games.tarot.piles import OUDLER_COUNTS
from scoring.rules.errors import Param
from scoring.rules.payouts import payout
from scoring.rules.score import DealWarning, EngineScore, Line, total

_new_tuple = tuple.__new__  # faster than the constructor of a named tuple

POINTS_FACTOR = 4
BASIC_POINTS = 25
SLAM_POINTS = 200


class Declaration(NamedTuple):
    """A handful, a slam or the Small in the last trick of a seat, with its points (`value`).

    `kind` is the handful's size, "slam" or "small_last".
    """

    kind: str
    seat: int
    value: int


def score(deal: OneForOneDeal, options: Options) -> EngineScore:
    order, disputed = deal.pile_order
    half_best = deal.piles[order[0]].half_difference
    best, dog = round_best_and_dog(half_best, deal.half_dog, options)
    rates, places_line = rates_by_seat(deal.members, order, disputed)
    worth_of_best, worth_of_dog = POINTS_FACTOR * best, POINTS_FACTOR * dog
    floored = half_best < 0 and options.best_margin_floor is not None
    code, clause = ("best_floored", "T6.3") if floored else ("best", "T5.5")
    best_points = tuple([rate * worth_of_best for rate in rates])
    dog_points = tuple([rate * worth_of_dog for rate in rates])
    lines: tuple[Line, ...] = (
        places_line,
        _new_tuple(Line, (code, {"difference": half_best / 2, "best": best}, clause, best_points)),
        _new_tuple(Line, ("dog", {"points": deal.half_dog / 2, "dog": dog}, "T5.6", dog_points)),
    )
    if deal.handfuls or deal.slam is not None or deal.small_last is not None:
        lines += tuple(
            _declaration_line(declaration, deal.seats, deal.members[deal.pile_of(declaration.seat)])
            for declaration in declarations(deal, options)
        )
        points = total(deal.seats, lines)
    else:
        whole_stake = POINTS_FACTOR * (BASIC_POINTS + best + dog)
        points = tuple([rate * whole_stake for rate in rates])  # the three lines' sum
    return _new_tuple(EngineScore, (points, lines, _warnings(deal)))


def round_best_and_dog(half_best: int, half_dog: int, options: Options) -> tuple[int, int]:
    """Return (best difference, dog) in whole points, each rounded up (−10.5 becomes −10).

    `half_best` is the best pile's difference to the points it needs, `half_dog` the points of the dog, both in half
    points.
    """
    if half_best < 0 and options.best_margin_floor is not None:
        half_best = 0
    return -(-half_best // 2), -(-half_dog // 2)


# The cache is bounded: 6 piles have many possible orders, disputes and teams, but few of them occur in an evening.
@lru_cache(maxsize=4096)
def rates_by_seat(members: SeatsOfPiles, order: tuple[int, ...], disputed: int) -> tuple[tuple[int, ...], Line]:
    """Return the rate of each seat, and the line (reason for points) of the ranks. Both players of a team have its
    rate.

    The points of the line are rate × 4 × 25 (the basic points). `members` are the seats of each pile. `order` has the
    indexes of the piles from the best to the last. `disputed` is the number of equal piles at the end (1: none).
    """
    in_order = tuple(seat for number in order for seat in members[number])
    seats = len(in_order)
    rates_by_rank = RATES_BY_RANK[seats] if len(members) == seats else TEAM_RATES_BY_RANK[len(members)]
    rates = [0] * seats
    for rate, number in zip(rates_by_rank[disputed], order, strict=True):
        for seat in members[number]:
            rates[seat] = rate
    params: dict[str, Param] = {
        "value": BASIC_POINTS,
        "seats": in_order,
        "rates": tuple(rates[seat] for seat in in_order),
    }
    if disputed > 1:
        params["disputed"] = disputed
    code = "places_disputed" if disputed > 1 else "places"
    shares = tuple(rates)
    return shares, Line(code, MappingProxyType(params), "T5.4", payout(shares, POINTS_FACTOR * BASIC_POINTS))


def declarations(deal: OneForOneDeal, options: Options) -> list[Declaration]:
    """Return the declarations of a deal. The Small in the last trick is one if a house rule gives points for it."""
    declared = [Declaration(handful.size, handful.seat, HANDFUL_POINTS[handful.size]) for handful in deal.handfuls]
    if deal.slam is not None:
        declared.append(Declaration("slam", deal.slam, SLAM_POINTS))
    if deal.small_last is not None and options.one_for_one_small_last:
        declared.append(Declaration("small_last", deal.small_last, options.one_for_one_small_last))
    return declared


def formula(deal: OneForOneDeal, options: Options, seat: int) -> str:
    """Return the computation of a seat's points in the notation of document 000.

    The notation is 4 × (rate × (25 + best + dog) + 3 × the seat's declarations − the other seats' declarations).
    """
    team_values: list[int] = []
    other_values: list[int] = []
    team = deal.members[deal.pile_of(seat)]
    for declaration in declarations(deal, options):
        (team_values if declaration.seat in team else other_values).append(declaration.value)
    best, dog = round_best_and_dog(deal.piles[deal.pile_order.order[0]].half_difference, deal.half_dog, options)
    rate = rates_by_seat(deal.members, *deal.pile_order)[0][seat]
    text = f"{first_term(rate)} × ({sum_text((BASIC_POINTS, best, dog))})"
    if team_values:
        terms = sum_text(team_values)
        text += f" + {deal.seats - len(team)} × " + (f"({terms})" if len(team_values) > 1 else terms)
    if other_values and len(team) == 1:
        text += following_terms(-value for value in other_values)
    elif other_values:
        terms = sum_text(other_values)
        text += f" − {len(team)} × " + (f"({terms})" if len(other_values) > 1 else terms)
    return f"{POINTS_FACTOR} × ({text}) = {first_term(score(deal, options).points[seat])}"


@cache
def _declaration_line(declaration: Declaration, seats: int, team: tuple[int, ...]) -> Line:
    """Return the line (reason for points) of a declaration. Every seat outside `team` pays four times its value to
    each seat of `team`.
    """
    value = POINTS_FACTOR * declaration.value
    points = [-len(team) * value] * seats
    for seat in team:
        points[seat] = (seats - len(team)) * value
    kind = declaration.kind
    params = {"seat": declaration.seat, "value": declaration.value, "factor": POINTS_FACTOR}
    if kind in HANDFUL_POINTS:
        return Line("own_handful", MappingProxyType({**params, "size": kind}), "T5.7", tuple(points))
    return Line(f"own_{kind}", MappingProxyType(params), "T5.8" if kind == "slam" else "T6.4", tuple(points))


def _warnings(deal: OneForOneDeal) -> tuple[DealWarning, ...]:
    """Return warnings about points that are impossible or rare with real cards (RULES.md, T8)."""
    warnings = []
    even = deal.seats % 2 == 0
    hidden = 3 * OUDLER_HALF_POINTS
    for number, pile in enumerate(deal.piles):
        half_points = pile.half_points
        if even and half_points & 1:
            warnings.append(_half_point_warning(f"piles.{number}.points", half_points, deal.seats))
        if pile.oudlers:
            minimum = OUDLER_HALF_POINTS * OUDLER_COUNTS[pile.oudlers]
            hidden -= minimum
            if half_points < minimum:
                params = {"given": half_points / 2, "least": minimum / 2}
                warnings.append(DealWarning(f"piles.{number}.points", "less_than_oudlers", params))
    if even and deal.half_dog & 1:
        warnings.append(_half_point_warning("dog_points", deal.half_dog, deal.seats))
    if deal.half_dog < hidden:
        warnings.append(
            DealWarning("dog_points", "less_than_hidden", {"given": deal.half_dog / 2, "least": hidden / 2})
        )
    return tuple(warnings)


def _half_point_warning(field: str, half_points: int, seats: int) -> DealWarning:
    return DealWarning(field, "half_with_even_seats", {"given": half_points / 2, "players": seats})
