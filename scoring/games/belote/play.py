"""Simulation of a deal of belote, for the demo and for tests of the rules.

Two rounds of bidding on a turned-up card, then eight tricks by the usual rules: follow suit, overtrump, and trump
without a card of the suit unless the partner is winning. The only announcement is belote. `skill` is the probability
that a player chooses a sensible card instead of any legal card.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scoring.trick_play import SUITS, TRUMP_POINTS, Card, Trick, card_points, play_tricks, shuffled_pack

PENALTY_PROBABILITY = 0.004  # the probability of an irregularity in a deal with a taker
MIN_HAND_POINTS_TO_TAKE = 45  # a player takes with at least this result of `_hand_points`


class SimulatedDeal(NamedTuple):
    """The facts (JSON of what happened at the table) and the cards of a simulated deal.

    A passed deal, and a deal with an irregularity, has no trump and no tricks.
    """

    facts: dict[str, Any]
    trump: str | None
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

    The facts (JSON of what happened) are legal under all house rules, so `options` and `earlier` are not used.
    """
    assert seats == 4
    pack = shuffled_pack(rng)
    hands = [pack[5 * seat : 5 * seat + 5] for seat in range(4)]
    turned_up, rest = pack[20], pack[21:]
    first = rng.randrange(4)
    taker, trump = _bid(rng, hands, turned_up, skills, first)
    if taker is None:
        return SimulatedDeal({"taker": None}, None, tuple(map(tuple, hands)), ())
    for seat in range(4):
        count = 2 if seat == taker else 3
        hands[seat] += rest[:count]
        rest = rest[count:]
    hands[taker].append(turned_up)
    dealt = tuple(map(tuple, hands))
    if rng.random() < PENALTY_PROBABILITY:
        return SimulatedDeal({"penalty": rng.randrange(4)}, None, dealt, ())
    tricks = play_tricks(rng, hands, trump, skills, first)
    return SimulatedDeal(_facts_of_played_deal(taker, trump, dealt, tricks), trump, dealt, tricks)


def _facts_of_played_deal(
    taker: int, trump: str, hands: tuple[tuple[Card, ...], ...], tricks: tuple[Trick, ...]
) -> dict[str, Any]:
    def side(seat: int) -> str:
        return "attack" if seat % 2 == taker % 2 else "defence"

    holder = next((seat for seat in range(4) if {Card(trump, "king"), Card(trump, "queen")} <= set(hands[seat])), None)
    winners = {side(trick.winner) for trick in tricks}
    return {
        "taker": taker,
        "points": sum(
            card_points(card, trump) for trick in tricks if side(trick.winner) == "attack" for card in trick.cards
        ),
        "last_trick": side(tricks[-1].winner),
        "belote": None if holder is None else side(holder),
        "all_tricks": winners.pop() if len(winners) == 1 else None,
    }


def _hand_points(hand: Sequence[Card], trump: str) -> int:
    """Return the strength of a hand for a bid with this trump: the card points of its trumps, 3 for each trump, and 8
    for each ace of another suit.
    """
    return sum(TRUMP_POINTS[card.rank] + 3 if card.suit == trump else 8 * (card.rank == "ace") for card in hand)


def _bid(
    rng: random.Random, hands: Sequence[Sequence[Card]], turned_up: Card, skills: Sequence[float], first: int
) -> tuple[int | None, str]:
    """Return the taker's seat and the trump suit; the taker is None if everyone passes.

    In the first round of bidding the trump is the suit of the turned-up card, in the second any other suit.
    """
    order = [(first + turn) % 4 for turn in range(4)]
    for seat in order:
        if (
            _hand_points([*hands[seat], turned_up], turned_up.suit) + _estimation_error(rng, skills[seat])
            >= MIN_HAND_POINTS_TO_TAKE
        ):
            return seat, turned_up.suit
    for seat in order:
        trump = max(
            (suit for suit in SUITS if suit != turned_up.suit), key=lambda suit: _hand_points(hands[seat], suit)
        )
        if _hand_points(hands[seat], trump) + _estimation_error(rng, skills[seat]) >= MIN_HAND_POINTS_TO_TAKE:
            return seat, trump
    return None, turned_up.suit


def _estimation_error(rng: random.Random, skill: float) -> float:
    return rng.uniform(-20, 20) * (1 - skill)
