"""Simulation of a deal of contrée, for the demo and for tests of the rules.

Each player bids once; a double and a redouble may follow; then eight tricks are played by the usual rules: follow suit,
play higher in trumps, and trump without a card of the suit unless the partner is winning. `skill` is the probability
that a player chooses a sensible card instead of any legal card.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.trick_play import SUITS, Card, Trick, card_points, play_tricks, shuffled_pack

TRUMPS = (*SUITS, "no_trump", "all_trumps")
SEQUENCE_ORDER = ("7", "8", "9", "10", "jack", "queen", "king", "ace")
# The points that each trump adds to the bid of a player.
TRUMP_WORTH = {"jack": 33, "9": 23, "ace": 15, "10": 12, "king": 11, "queen": 11, "8": 9, "7": 9}
PARTNER_WORTH = 18  # the points that a bidder expects from the partner's hand
USUAL_BID, BOLDNESS = 95, 1.8  # the difference between a hand's worth and the usual bid is multiplied by the boldness
MIN_WORTH_FOR_CAPOT, MIN_WORTH_FOR_GENERALE = 172, 200
SEQUENCE_POINTS = {3: 20, 4: 50}  # points by length; 100 for longer sequences
FOUR_OF_A_KIND_POINTS = {"jack": 200, "9": 150, "ace": 100, "10": 100, "king": 100, "queen": 100}


class SimulatedDeal(NamedTuple):
    """The facts (JSON of what happened at the table) and the cards of a simulated deal. A passed deal has no tricks."""

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
    """Simulate one deal: deal the cards, bid and play. `skills` are by seat, from 0 (any legal card) to 1.

    The facts (JSON of what happened) have announcements if `options` (house rules) allow them. `earlier` is not used.
    """
    assert seats == 4
    pack = shuffled_pack(rng)
    hands = [pack[8 * seat : 8 * seat + 8] for seat in range(4)]
    dealt = tuple(map(tuple, hands))
    first = rng.randrange(4)
    bid = _bid(rng, hands, skills, first)
    if bid is None:
        return SimulatedDeal({"taker": None}, dealt, ())
    taker, contract, trump = bid
    double = _choose_double(rng, hands, taker, contract, trump)
    tricks = play_tricks(rng, hands, trump, skills, first)
    facts = {
        "taker": taker,
        "contract": contract,
        "trump": trump,
        "double": double,
        **_result_facts(taker, trump, tricks),
    }
    belotes = [_count_belotes(hand, trump) for hand in dealt]
    if any(belotes):
        facts["belotes"] = _sums_by_side(taker, belotes)
    if (options or {}).get("announcements"):
        facts["announcements"] = _announcement_sums(taker, dealt, first)
    return SimulatedDeal(facts, dealt, tricks)


def _sums_by_side(taker: int, values: Sequence[int]) -> dict[str, int]:
    attack = values[taker] + values[(taker + 2) % 4]
    return {"attack": attack, "defence": sum(values) - attack}


def _result_facts(taker: int, trump: str, tricks: Sequence[Trick]) -> dict[str, Any]:
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
    """Return the number of points that a player with this hand expects to make if `trump` is chosen."""
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
    """Return the highest bidder's seat, the contract and its trump; None if everyone passes.

    A very strong hand bids capot or générale. Otherwise the contract is a little higher than the best bid of the other
    pair, but not higher than the bidder's own estimate.
    """
    best: list[tuple[float, int, str]] = []
    for turn in range(4):
        seat = (first + turn) % 4
        trump = max(TRUMPS, key=lambda choice: _hand_points(hands[seat], choice))
        error = rng.uniform(-20, 20) * (1 - skills[seat])
        best.append((USUAL_BID + BOLDNESS * (_hand_points(hands[seat], trump) + error - USUAL_BID), seat, trump))
    worth, taker, trump = max(best, key=lambda bid: bid[0])
    if worth < 80:
        return None
    if worth >= MIN_WORTH_FOR_CAPOT:
        return taker, "generale" if worth >= MIN_WORTH_FOR_GENERALE else "capot", trump
    opponents = max(opponent_worth for opponent_worth, seat, _trump in best if seat % 2 != taker % 2)
    needed = max(80, int(opponents) // 10 * 10 + 10)
    limit = int(worth) // 10 * 10
    return taker, min(limit, needed + 10 * rng.randrange(4), 180), trump


def _choose_double(
    rng: random.Random, hands: Sequence[Sequence[Card]], taker: int, contract: int | str, trump: str
) -> str | None:
    """Return "double", "redouble" or None.

    A defender with many points in the trump doubles half the time; against a high contract fewer points are enough.
    Other contracts are rarely doubled. Some doubles are redoubled, at random.
    """
    strongest = max(_hand_points(hands[(taker + turn) % 4], trump) for turn in (1, 3))
    high = isinstance(contract, str) or contract >= 120
    if rng.random() >= (0.5 if strongest >= 75 or (high and strongest >= 62) else 0.04):
        return None
    return "redouble" if rng.random() < 0.15 else "double"


def _count_belotes(hand: Sequence[Card], trump: str) -> int:
    return sum(
        Card(suit, "king") in hand and Card(suit, "queen") in hand for suit in SUITS if trump in ("all_trumps", suit)
    )


def _announcement_sums(taker: int, hands: Sequence[Sequence[Card]], first: int) -> dict[str, int]:
    """Return the announced points as {"attack": …, "defence": …}. Only the pair with the highest announcement gets
    points.

    If two announcements are equal, the player who speaks first has the higher one. `first` is the seat that speaks
    first.
    """
    announcements = [list(announcement_points(hand)) for hand in hands]
    order = [(first + turn) % 4 for turn in range(4)]
    best = max(order, key=lambda seat: max(announcements[seat], default=0))
    sums = [sum(announcements[seat]) if seat % 2 == best % 2 else 0 for seat in range(4)]
    return _sums_by_side(taker, sums)


def announcement_points(hand: Sequence[Card]) -> Iterator[int]:
    """Yield the points of each announcement in a hand: sequences and fours of a kind."""
    for rank, points in FOUR_OF_A_KIND_POINTS.items():
        if sum(card.rank == rank for card in hand) == 4:
            yield points
    for suit in SUITS:
        length = 0
        for rank in (*SEQUENCE_ORDER, "end"):
            if Card(suit, rank) in hand:
                length += 1
                continue
            if length >= 3:
                yield SEQUENCE_POINTS.get(length, 100)
            length = 0
