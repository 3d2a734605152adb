"""Read the facts (JSON of what happened) of a deal "one for one" (document 000): everyone passed, the dog stays hidden,
and each player plays alone or in a team of two.

one_for_one_points.py computes the points, pile_order.py the order of the piles.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from scoring.games.tarot import handfuls, piles
from scoring.games.tarot.cards import ALL_HALF_POINTS, HALF_POINTS_BY_POINTS, HAND_AND_DOG_SIZES
from scoring.games.tarot.handfuls import Handful
from scoring.games.tarot.pile_order import PileOrder, order_piles
from scoring.games.tarot.piles import SMALL, Pile
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import checked_object, items, quote, read_half_points, seat

FACT_KEYS = frozenset({"contract", "dog_points", "piles", "teams", "small_last", "handfuls", "slam"})
REQUIRED_KEYS = frozenset({"contract", "dog_points", "piles"})
# The possible numbers of tricks, by number of seats.
TRICK_COUNTS = {seats: tuple(cards for cards, _ in dealings) for seats, dealings in HAND_AND_DOG_SIZES.items()}
TEAM_TABLE_SIZES = (4, 6)

_new_tuple = tuple.__new__  # faster than the constructor of a named tuple

SeatsOfPiles = tuple[tuple[int, ...], ...]  # the seats that share each pile


class OneForOneDeal(NamedTuple):
    """A deal "one for one": everyone passed, and each player or team of two wins a pile of cards.

    `half_dog` are the card points of the dog (the hidden cards), in half points. `members[i]` are the seats that share
    pile i. `pile_order` is the order of the piles from the best to the last. `small_last` is the seat that won the
    Small in the last trick; `slam` is the seat that won every trick.
    """

    seats: int
    half_dog: int
    members: SeatsOfPiles
    piles: tuple[Pile, ...]
    pile_order: PileOrder
    small_last: int | None
    handfuls: tuple[Handful, ...]
    slam: int | None

    @property
    def has_teams(self) -> bool:
        return len(self.members) < self.seats

    def pile_of(self, seat: int) -> int:
        """Return the index of the pile that the seat, or its team, won."""
        if len(self.members) == self.seats:
            return seat
        return next(number for number, team in enumerate(self.members) if seat in team)


def read(seats: int, facts: Mapping[str, Any]) -> OneForOneDeal:
    """Return the deal of these facts (JSON of what happened; RULES.md, T7). Raise IllegalDeal.

    The caller has checked that `contract` is "one_for_one".
    """
    if not FACT_KEYS.issuperset(facts):
        checked_object(facts, "facts", REQUIRED_KEYS, FACT_KEYS)
    get = facts.get
    teams = get("teams")
    members = each_alone(seats) if teams is None else _read_teams(teams, seats)
    won, half_points, tricks, max_pile_tricks = piles.read(get("piles"), len(members))
    dog_points = get("dog_points")
    half_dog = HALF_POINTS_BY_POINTS.get(dog_points) if type(dog_points) is float or type(dog_points) is int else None
    if half_dog is None:
        half_dog = read_half_points(dog_points, "dog_points")
    if half_dog < 0:
        raise IllegalDeal("dog_points", "too_small", {"given": quote(dog_points), "least": 0})
    if half_points + half_dog != ALL_HALF_POINTS or tricks not in TRICK_COUNTS[seats]:
        _raise_wrong_sums(seats, half_points + half_dog, tricks)
    small_last = get("small_last")
    slam = get("slam")
    shown_handfuls = handfuls.read(get("handfuls"), seats)
    deal = _new_tuple(
        OneForOneDeal, (seats, half_dog, members, won, order_piles(won), small_last, shown_handfuls, slam)
    )
    if small_last is not None and not won[deal.pile_of(seat(small_last, "small_last", seats))].oudlers & SMALL:
        raise IllegalDeal("small_last", "small_last_not_in_pile", {"seat": small_last})
    if slam is not None or max_pile_tricks == tricks:
        _check_slam(deal, tricks)
    return deal


@cache
def each_alone(seats: int) -> SeatsOfPiles:
    return tuple((number,) for number in range(seats))


def _read_teams(value: object, seats: int) -> SeatsOfPiles:
    if seats not in TEAM_TABLE_SIZES:
        raise IllegalDeal("teams", "teams_need_even", {"given": quote(value), "players": seats})
    teams: list[tuple[int, ...]] = []
    for number, raw in enumerate(items(value, "teams", seats // 2)):
        pair = items(raw, f"teams.{number}", 2)
        teams.append(tuple(seat(mate, f"teams.{number}.{index}", seats) for index, mate in enumerate(pair)))
    if len({mate for team in teams for mate in team}) < seats:
        raise IllegalDeal("teams", "teams_not_each_once", {"given": quote(value), "most": seats - 1})
    return tuple(teams)


def _raise_wrong_sums(seats: int, half_points: int, tricks: int) -> None:
    if half_points != ALL_HALF_POINTS:
        raise IllegalDeal(
            "piles", "points_not_all", {"given": piles.points_text(half_points), "all": ALL_HALF_POINTS // 2}
        )
    allowed = ", ".join(map(str, TRICK_COUNTS[seats]))
    raise IllegalDeal("piles", "tricks_not_all", {"given": quote(tricks), "allowed": allowed})


def _check_slam(deal: OneForOneDeal, all_tricks: int) -> None:
    if deal.slam is None:
        for number, (_, _, tricks, _, _) in enumerate(deal.piles):
            if tricks == all_tricks:
                raise IllegalDeal("slam", "slam_not_told", {"seats": deal.members[number]})
    elif deal.piles[deal.pile_of(seat(deal.slam, "slam", deal.seats))].tricks != all_tricks:
        raise IllegalDeal("slam", "slam_without_all_tricks", {"seat": deal.slam, "tricks": all_tricks})
