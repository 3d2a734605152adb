"""Deals and plays a hand of Little Barbu with real cards, for the demo and for the properties of the tests.

With the chance of its skill a player thinks, else it plays any legal card.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .rules import CONTRACTS, Deal, next_facts

CARDS = 8  # each, and so the tricks of a deal
HEARTS, QUEEN, KING, ACE = 3, 12, 13, 14
DOUBLES = 0.2  # how often a player feels like it

Card = tuple[int, int]  # suit 0 to 3, rank up to 14 (the ace)


class SimulatedDeal(NamedTuple):
    """The facts, and the cards that each seat took."""

    facts: dict[str, Any]
    won: tuple[tuple[Card, ...], ...]


def play(
    rng: random.Random,
    seats: int,
    skills: Sequence[float],
    options: Mapping[str, object] | None = None,
    earlier: Sequence[Deal] = (),
) -> SimulatedDeal:
    """Deal, choose a contract that the dealer has not named before, double, and play. `skills` are from 0 to 1."""
    dealer = next_facts(seats, earlier)["dealer"]
    used = {deal.contract for deal in earlier if deal.dealer == dealer}
    contract = rng.choice([name for name in CONTRACTS if name not in used] or list(CONTRACTS))
    doubled = [seat != dealer and rng.random() < DOUBLES for seat in range(seats)]
    won = _tricks(rng, seats, skills, dealer)
    taken = [sum(_counts(contract, card) for card in cards) for cards in won]
    if contract == "tricks":
        taken = [len(cards) // seats for cards in won]
    facts = {"contract": contract, "dealer": dealer, "taken": taken, "doubled": doubled}
    return SimulatedDeal(facts, tuple(map(tuple, won)))


def _counts(contract: str, card: Card) -> bool:
    return card[1] == QUEEN if contract == "queens" else card == (HEARTS, KING)


def _tricks(rng: random.Random, seats: int, skills: Sequence[float], dealer: int) -> list[list[Card]]:
    """Return the cards that each seat took; the seat after the dealer leads first."""
    pack = [(suit, rank) for suit in range(4) for rank in range(ACE + 1 - 2 * seats, ACE + 1)]
    rng.shuffle(pack)
    hands = [pack[CARDS * seat : CARDS * seat + CARDS] for seat in range(seats)]
    won: list[list[Card]] = [[] for _ in hands]
    leader = (dealer + 1) % seats
    while hands[leader]:
        trick: list[Card] = []
        for turn in range(seats):
            seat = (leader + turn) % seats
            card = _choose(rng, skills[seat], hands[seat], trick)
            hands[seat].remove(card)
            trick.append(card)
        leader = (leader + trick.index(_best(trick))) % seats
        won[leader] += trick
    return won


def _best(trick: Sequence[Card]) -> Card:
    return max((card for card in trick if card[0] == trick[0][0]), key=lambda card: card[1])


def _choose(rng: random.Random, skill: float, hand: Sequence[Card], trick: Sequence[Card]) -> Card:
    """Return a legal card: with skill the highest losing card, otherwise the lowest."""
    legal = [card for card in hand if trick and card[0] == trick[0][0]] or list(hand)
    if rng.random() >= skill:
        return rng.choice(legal)
    losing = [card for card in legal if trick and _best([*trick, card]) != card]
    return max(losing, key=lambda card: card[1]) if losing else min(legal, key=lambda card: card[1])
