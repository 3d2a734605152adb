"""Legal deals of tarot for the properties, and the game under test.

Deals with a taker are drawn field by field; deals one for one from real cards thrown into piles, so that they add up.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from scoring.games.tarot.cards import HAND_AND_DOG_SIZES, HANDFUL_POINTS, TRUMPS_OF_HANDFUL
from scoring.games.tarot.options import HOUSE_RULES
from scoring.games.tarot.rules import RULES
from scoring.games.tarot.tricks import (
    CHARACTER_RANKS,
    EXCUSE,
    FIRST_TRUMP,
    HALF_POINTS,
    NAMES_OF_OUDLERS,
    PACK,
    RANKS_PER_SUIT,
)
from scoring.tests import laws

FOLDER = Path(__file__).parent.parent
FIELDS = re.compile(
    r"seats|facts|options(\.(half_point_short|six_player_partner|best_margin_floor|one_for_one_small_last))?"
    r"|contract|taker|partner|points|oudlers|small_last|slam|slam_announced|dog_points|teams(\.\d+){0,2}"
    r"|handfuls(\.\d+(\.(seat|size))?)?"
    r"|piles(\.\d+(\.(points|tricks|first_trick|oudlers(\.\d+)?|characters(\.(kings|queens|knights|jacks))?))?)?"
)
TAROT = laws.Subject(RULES, FOLDER, FIELDS)


class DealRequest(NamedTuple):
    """A legal request."""

    seats: int
    facts: dict[str, Any]
    options: dict[str, Any]


OPTIONAL = ("partner", "teams", "small_last", "handfuls", "slam_announced", "slam")  # a slam may be seat 0's

OPTIONS = st.fixed_dictionaries(
    {},
    optional={rule.name: st.sampled_from(tuple({None, *rule.choices})) for rule in HOUSE_RULES},
)


@st.composite
def handfuls(draw: st.DrawFn, seats: int) -> list[dict[str, object]]:
    shown: list[dict[str, object]] = []
    trumps_left = 22
    for seat in draw(st.lists(st.integers(0, seats - 1), unique=True, max_size=3)):
        size = draw(st.sampled_from(tuple(HANDFUL_POINTS)))
        trumps_left -= TRUMPS_OF_HANDFUL[seats][size]
        if trumps_left < 0:
            break
        shown.append({"seat": seat, "size": size})
    return shown


@st.composite
def taker_deals(draw: st.DrawFn) -> DealRequest:
    seats = draw(st.integers(3, 6))
    taker = draw(st.integers(0, seats - 1))
    partners = [None] if seats < 5 else [None, *(seat for seat in range(seats) if seat != taker)]
    contract = draw(st.sampled_from(("take", "guard", "guard_without", "guard_against")))
    slam = draw(st.sampled_from((None, None, None, "attack", "defence")))
    against = contract == "guard_against"
    oudlers = draw(st.integers(0, 3))
    minimum, maximum = 9 * oudlers, 155 + 9 * oudlers
    if slam == "attack":
        every_trick = draw(st.sampled_from(((3, 182, 182), (2, 174, 174))))  # with the Excuse, and without
        oudlers, minimum, maximum = (oudlers, max(112, minimum), maximum) if against else every_trick
    elif slam == "defence" and against:
        oudlers, minimum, maximum = draw(st.sampled_from(((0, 0, 0), (1, 8, 8))))
    elif slam == "defence":
        maximum = (70 if seats == 5 else 54) + (8 if oudlers else 0)
    halves = draw(st.integers(minimum, maximum))
    sides = [side for side, bad in (("attack", 0), ("defence", 3)) if oudlers != bad and slam in (None, side)]
    facts = {
        "contract": contract,
        "taker": taker,
        "partner": draw(st.sampled_from(partners)),
        "points": halves // 2 if halves % 2 == 0 and draw(st.booleans()) else halves / 2,
        "oudlers": oudlers,
        "small_last": draw(st.sampled_from((None, *sides))),
        "handfuls": draw(handfuls(seats)),
        "slam_announced": draw(st.booleans()),
        "slam": slam,
    }
    return DealRequest(seats, _left_out(draw, facts), draw(OPTIONS))


def _left_out(draw: st.DrawFn, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the deal; facts without effect are left out or null."""
    shown = {}
    for name, value in facts.items():
        if name in OPTIONAL and value in (None, [], False) and type(value) is not int:
            form = draw(st.sampled_from(("as it is", "null", "left out")))
            if form != "left out":
                shown[name] = value if form == "as it is" else None
        else:
            shown[name] = value
    return shown


@st.composite
def one_for_one_deals(draw: st.DrawFn) -> DealRequest:
    seats = draw(st.integers(3, 6))
    pairs = seats % 2 == 0 and draw(st.booleans())
    order = draw(st.permutations(range(seats)))
    members = [list(order[at : at + 2]) for at in range(0, seats, 2)] if pairs else [[seat] for seat in range(seats)]
    # What the cards do is drawn in one number: shrinking card by card leads nowhere.
    random = Random(draw(st.integers(0, 2**32)))
    piles, dog = thrown(random, seats, len(members))
    all_tricks = sum(pile["tricks"] for pile in piles)
    slam = next((team for team, pile in zip(members, piles, strict=True) if pile["tricks"] == all_tricks), None)
    small = next((team for team, pile in zip(members, piles, strict=True) if "small" in pile["oudlers"]), None)
    facts = {
        "contract": "one_for_one",
        "dog_points": sum(HALF_POINTS[card] for card in dog) / 2,
        "teams": members if pairs else None,
        "piles": piles,
        "small_last": draw(st.sampled_from([None, *(small or [])])),
        "handfuls": draw(handfuls(seats)),
        "slam": draw(st.sampled_from(slam)) if slam else None,
    }
    return DealRequest(seats, _left_out(draw, facts), draw(OPTIONS))


def thrown(random: Random, seats: int, number: int) -> tuple[list[dict[str, Any]], list[int]]:
    """Piles of tricks of random cards, won at random, often by few; and the dog."""
    cards, _ = random.choice(HAND_AND_DOG_SIZES[seats])
    pack = list(PACK)
    random.shuffle(pack)
    winners = random.sample(range(number), random.randint(1, number))
    won = [random.choice(winners) for _ in range(cards)]
    piles_of_cards: list[list[int]] = [[] for _ in range(number)]
    for at, winner in enumerate(won):
        piles_of_cards[winner] += pack[at * seats : (at + 1) * seats]
    without = [index for index in range(number) if index not in won]
    if without and random.random() < 0.3 and EXCUSE in pack[: cards * seats]:
        next(pile for pile in piles_of_cards if EXCUSE in pile).remove(EXCUSE)
        piles_of_cards[random.choice(without)].append(EXCUSE)
    return [_pile(cards_won, index, won) for index, cards_won in enumerate(piles_of_cards)], pack[cards * seats :]


def _pile(cards: Sequence[int], index: int, won: Sequence[int]) -> dict[str, Any]:
    return {
        "points": sum(HALF_POINTS[card] for card in cards) / 2,
        "oudlers": [NAMES_OF_OUDLERS[card] for card in cards if card in NAMES_OF_OUDLERS],
        "tricks": won.count(index),
        "characters": {
            kind: sum(card < FIRST_TRUMP and card % RANKS_PER_SUIT == rank for card in cards)
            for kind, rank in CHARACTER_RANKS
        },
        "first_trick": won.index(index) + 1 if index in won else None,
    }


def deals() -> st.SearchStrategy[DealRequest]:
    """Return deals of every kind."""
    passed = st.integers(3, 6).map(lambda seats: DealRequest(seats, {"contract": "passed"}, {}))
    return st.one_of(taker_deals(), one_for_one_deals(), passed)


def relabel(facts: laws.Facts, order: Sequence[int]) -> laws.Facts:
    """Return the same deal where seat i is called order[i]."""
    relabelled = dict(facts)
    one_for_one = facts["contract"] == "one_for_one"
    for name in ("small_last", "slam") if one_for_one else ("taker", "partner"):
        if facts.get(name) is not None:
            relabelled[name] = order[facts[name]]
    if facts.get("handfuls"):
        relabelled["handfuls"] = [{**shown, "seat": order[shown["seat"]]} for shown in facts["handfuls"]]
    if facts.get("teams"):
        relabelled["teams"] = [[order[seat] for seat in team] for team in facts["teams"]]
    elif one_for_one:
        relabelled["piles"] = [facts["piles"][order.index(seat)] for seat in range(len(order))]
    return relabelled
