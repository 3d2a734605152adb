"""Simulation of a hand or a duel of Two Way Street, for the demo and for tests of the rules.

The play is simplified, because document 004 describes only the scoring. Each player gets ten cards from as many packs
of 52 as needed. Players follow suit; there are no trumps; the first of the highest cards of the led suit wins. A bid in
a duel is a strength from 1 to 3 and a direction, and adds no tricks. `skill` is the probability that a player chooses a
sensible card instead of any legal card.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

CARDS_PER_PLAYER = 10  # also the number of tricks in a hand
PACK = tuple((suit, rank) for suit in range(4) for rank in range(2, 15))
MIDDLE_RANK = 8  # a hand with a higher average rank plays high

Card = tuple[int, int]  # suit 0 to 3, rank 2 to 14 (the ace)


class Trick(NamedTuple):
    """The cards of a trick in the order of play. The seat `leader` played the first card; the seat `winner` won."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


class SimulatedDeal(NamedTuple):
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
    """Simulate one deal: deal the cards, call or bid, and play. `skills` are by seat, from 0 (any legal card) to 1.

    If the bids of a duel are equal, the cards are dealt again. The facts (JSON of what happened) are legal under all
    house rules and have ten tricks, so `options` and `earlier` are not used.
    """
    hands = _deal_hands(rng, seats)
    first = rng.randrange(seats)
    if seats == 2:
        direction = _bid_direction(rng, hands, skills)
        while direction is None:
            hands = _deal_hands(rng, seats)
            direction = _bid_direction(rng, hands, skills)
        tricks = _play_tricks(rng, hands, [direction] * 2, skills, first)
        won = _count_tricks(tricks, seats)
        return SimulatedDeal({"direction": direction, "dealer": 1 - first, "tricks": won}, hands, tricks)
    calls = _choose_calls(rng, hands, skills, first)
    tricks = _play_tricks(rng, hands, [call for call, _forced in calls], skills, first)
    facts: dict[str, Any] = {
        "hands": [
            {"call": call, "forced": forced, "tricks": count}
            for (call, forced), count in zip(calls, _count_tricks(tricks, seats), strict=True)
        ]
    }
    return SimulatedDeal(facts, hands, tricks)


def _deal_hands(rng: random.Random, seats: int) -> tuple[tuple[Card, ...], ...]:
    packs = -(-CARDS_PER_PLAYER * seats // len(PACK))
    cards = rng.sample(PACK * packs, CARDS_PER_PLAYER * seats)
    return tuple(
        tuple(cards[CARDS_PER_PLAYER * seat : CARDS_PER_PLAYER * seat + CARDS_PER_PLAYER]) for seat in range(seats)
    )


def _estimate_hand(rng: random.Random, hand: Sequence[Card], skill: float) -> float:
    """Return the player's estimate of the hand: its average rank minus MIDDLE_RANK, with an error that is smaller for
    a skilled player. A high hand is positive, a low hand negative.
    """
    return sum(rank for _suit, rank in hand) / CARDS_PER_PLAYER - MIDDLE_RANK + rng.uniform(-4, 4) * (1 - skill)


def _choose_calls(
    rng: random.Random, hands: Sequence[Sequence[Card]], skills: Sequence[float], first: int
) -> list[tuple[str, bool]]:
    """Return (call, forced) by seat. The players call in turn, from the seat `first`.

    A player is forced to a direction if more than half of all players declared the other direction.
    """
    calls = [("", False)] * len(hands)
    declared = {"high": 0, "low": 0}
    for turn in range(len(hands)):
        seat = (first + turn) % len(hands)
        majority_call = next((call for call, count in declared.items() if 2 * count > len(hands)), None)
        if majority_call is not None:
            calls[seat] = ("low" if majority_call == "high" else "high", True)
            continue
        call = "high" if _estimate_hand(rng, hands[seat], skills[seat]) > 0 else "low"
        declared[call] += 1
        calls[seat] = (call, False)
    return calls


def _bid_direction(rng: random.Random, hands: Sequence[Sequence[Card]], skills: Sequence[float]) -> str | None:
    """Return the direction of the stronger bid; None if the bids are equally strong but have different directions."""
    first, second = (_estimate_hand(rng, hand, skill) for hand, skill in zip(hands, skills, strict=True))
    strengths = [min(3, 1 + int(abs(lean))) for lean in (first, second)]
    if strengths[0] == strengths[1] and (first > 0) != (second > 0):
        return None
    return "high" if (first if strengths[0] >= strengths[1] else second) > 0 else "low"


def _play_tricks(
    rng: random.Random, hands: Sequence[Sequence[Card]], calls: Sequence[str], skills: Sequence[float], first: int
) -> tuple[Trick, ...]:
    remaining = [list(hand) for hand in hands]
    tricks: list[Trick] = []
    leader = first
    for _number in range(CARDS_PER_PLAYER):
        cards: list[Card] = []
        for turn in range(len(hands)):
            seat = (leader + turn) % len(hands)
            legal = legal_cards(remaining[seat], cards)
            card = _choose_card(legal, cards, calls[seat]) if rng.random() < skills[seat] else rng.choice(legal)
            remaining[seat].remove(card)
            cards.append(card)
        tricks.append(Trick(leader, tuple(cards), (leader + winning_index(cards)) % len(hands)))
        leader = tricks[-1].winner
    return tuple(tricks)


def legal_cards(hand: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    following = [card for card in hand if cards and card[0] == cards[0][0]]
    return following or list(hand)


def winning_index(cards: Sequence[Card]) -> int:
    """Return the index of the winning card in the trick; of equal cards, the first one wins."""
    return max(range(len(cards)), key=lambda turn: (cards[turn][0] == cards[0][0], cards[turn][1], -turn))


def _choose_card(legal: Sequence[Card], cards: Sequence[Card], call: str) -> Card:
    """Return a sensible card. `cards` are the cards of the trick so far.

    The leader plays the highest card after a high call, the lowest card after a low call. A later player plays, after a
    high call, the highest card if it wins, else the lowest card; after a low call, the highest card that loses, else
    the lowest card.
    """

    def rank(card: Card) -> int:
        return card[1]

    if not cards:
        return max(legal, key=rank) if call == "high" else min(legal, key=rank)
    best = cards[winning_index(cards)]
    winners = [card for card in legal if card[0] == best[0] and card[1] > best[1]]
    if call == "high":
        return max(winners, key=rank) if winners else min(legal, key=rank)
    losers = [card for card in legal if card not in winners]
    return max(losers, key=rank) if losers else min(legal, key=rank)


def _count_tricks(tricks: Sequence[Trick], seats: int) -> list[int]:
    winners = [trick.winner for trick in tricks]
    return [winners.count(seat) for seat in range(seats)]
