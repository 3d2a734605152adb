"""Simulation of a hand of contrée, for the demo and for tests of the rules.

One bid of each player, a double or two, then eight tricks by the usual rules: follow suit, play higher in trumps, and
trump when void unless the partner is winning. `skill` is the probability of a sensible card instead of any legal card.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.trick_play import SUITS, Card, Trick, card_points, play_tricks, shuffled_pack

TRUMPS = (*SUITS, "no_trump", "all_trumps")
SEQUENCE_ORDER = ("7", "8", "9", "10", "jack", "queen", "king", "ace")
TRUMP_WORTH = {"jack": 33, "9": 23, "ace": 15, "10": 12, "king": 11, "queen": 11, "8": 9, "7": 9}  # to the taker's bid
PARTNER_WORTH = 18  # what a bidder expects of the partner
USUAL_BID, BOLDNESS = 95, 1.8  # good hands bid more than they are worth, poor ones less
CAPOT_FROM, GENERALE_FROM = 172, 200
SEQUENCES = {3: 20, 4: 50}  # longer: 100
FOUR_OF_A_KIND = {"jack": 200, "9": 150, "ace": 100, "10": 100, "king": 100, "queen": 100}


class SimulatedDeal(NamedTuple):
    """The facts and the cards of a deal. A passed deal has no tricks."""

    facts: dict[str, Any]
    hands: tuple[tuple[Card, ...], ...]
    tricks: tuple[Trick, ...]


def play(
    rng: random.Random,
    seats: int,
    skills: Sequence[float],
    options: Mapping[str, object] | None = None,
    earlier: Sequence[object] = (),
) -> SimulatedDeal:
    """Deal, bid and play. `skills` are from 0 (any legal card) to 1. Announcements are made where they are played."""
    assert seats == 4
    pack = shuffled_pack(rng)
    hands = [pack[8 * seat : 8 * seat + 8] for seat in range(4)]
    dealt = tuple(map(tuple, hands))
    first = rng.randrange(4)
    bid = _bid(rng, hands, skills, first)
    if bid is None:
        return SimulatedDeal({"taker": None}, dealt, ())
    taker, contract, trump = bid
    double = _double(rng, hands, taker, contract, trump)
    tricks = play_tricks(rng, hands, trump, skills, first)
    facts = {
        "taker": taker,
        "contract": contract,
        "trump": trump,
        "double": double,
        **_result(taker, trump, tricks),
    }
    belotes = [_belotes(hand, trump) for hand in dealt]
    if any(belotes):
        facts["belotes"] = _sums_by_side(taker, belotes)
    if (options or {}).get("announcements"):
        facts["announcements"] = _announcements(taker, dealt, first)
    return SimulatedDeal(facts, dealt, tricks)


def _sums_by_side(taker: int, values: Sequence[int]) -> dict[str, int]:
    attack = values[taker] + values[(taker + 2) % 4]
    return {"attack": attack, "defence": sum(values) - attack}


def _result(taker: int, trump: str, tricks: Sequence[Trick]) -> dict[str, Any]:
    winners = {trick.winner for trick in tricks}
    attack = {taker, (taker + 2) % 4}
    all_tricks = None
    if winners == {taker}:
        all_tricks = "taker"
    elif winners <= attack:
        all_tricks = "attack"
    elif not winners & attack:
        all_tricks = "defence"
    return {
        "points": sum(card_points(card, trump) for trick in tricks if trick.winner in attack for card in trick.cards),
        "last_trick": "attack" if tricks[-1].winner in attack else "defence",
        "all_tricks": all_tricks,
    }


def _hand_points(hand: Sequence[Card], trump: str) -> float:
    """Return the points that a player expects to make with this trump."""
    aces = sum(card.rank == "ace" for card in hand)
    if trump == "no_trump":
        guarded = sum(card.rank == "10" and Card(card.suit, "ace") in hand for card in hand)
        return PARTNER_WORTH + 27 * aces + 13 * guarded
    if trump == "all_trumps":
        jacks = sum(card.rank == "jack" for card in hand)
        guarded = sum(card.rank == "9" and Card(card.suit, "jack") in hand for card in hand)
        return PARTNER_WORTH + 27 * jacks + 16 * guarded
    trumps = [card for card in hand if card.suit == trump]
    side_aces = aces - (Card(trump, "ace") in trumps)
    return PARTNER_WORTH + sum(TRUMP_WORTH[card.rank] for card in trumps) + 19 * side_aces


def _bid(
    rng: random.Random, hands: Sequence[Sequence[Card]], skills: Sequence[float], first: int
) -> tuple[int, int | str, str] | None:
    """Return the highest bidder, the contract and its trump: no more than needed to outbid the other pair."""
    best: list[tuple[float, int, str]] = []
    for turn in range(4):
        seat = (first + turn) % 4
        trump = max(TRUMPS, key=lambda choice: _hand_points(hands[seat], choice))
        error = rng.uniform(-20, 20) * (1 - skills[seat])
        best.append((USUAL_BID + BOLDNESS * (_hand_points(hands[seat], trump) + error - USUAL_BID), seat, trump))
    worth, taker, trump = max(best, key=lambda bid: bid[0])
    if worth < 80:
        return None
    if worth >= CAPOT_FROM:
        return taker, "generale" if worth >= GENERALE_FROM else "capot", trump
    opponents = max(opponent_worth for opponent_worth, seat, _trump in best if seat % 2 != taker % 2)
    needed = max(80, int(opponents) // 10 * 10 + 10)
    limit = int(worth) // 10 * 10
    return taker, min(limit, needed + 10 * rng.randrange(4), 180), trump


def _double(
    rng: random.Random, hands: Sequence[Sequence[Card]], taker: int, contract: int | str, trump: str
) -> str | None:
    """A defender doubles with many points in this trump, and sometimes without; few doubles are redoubled."""
    strongest = max(_hand_points(hands[(taker + turn) % 4], trump) for turn in (1, 3))
    high = isinstance(contract, str) or contract >= 120
    if rng.random() >= (0.5 if strongest >= 75 or (high and strongest >= 62) else 0.04):
        return None
    return "redouble" if rng.random() < 0.15 else "double"


def _belotes(hand: Sequence[Card], trump: str) -> int:
    return sum(
        Card(suit, "king") in hand and Card(suit, "queen") in hand for suit in SUITS if trump in ("all_trumps", suit)
    )


def _announcements(taker: int, hands: Sequence[Sequence[Card]], first: int) -> dict[str, int]:
    """Return the sums of the pair with the highest announcement; of equal ones, the first to speak counts."""
    announcements = [list(announcement_points(hand)) for hand in hands]
    order = [(first + turn) % 4 for turn in range(4)]
    best = max(order, key=lambda seat: max(announcements[seat], default=0))
    sums = [sum(announcements[seat]) if seat % 2 == best % 2 else 0 for seat in range(4)]
    return _sums_by_side(taker, sums)


def announcement_points(hand: Sequence[Card]) -> Iterator[int]:
    """Yield the points of a hand's sequences and fours of a kind."""
    for rank, points in FOUR_OF_A_KIND.items():
        if sum(card.rank == rank for card in hand) == 4:
            yield points
    for suit in SUITS:
        length = 0
        for rank in (*SEQUENCE_ORDER, "end"):
            if Card(suit, rank) in hand:
                length += 1
                continue
            if length >= 3:
                yield SEQUENCES.get(length, 100)
            length = 0
