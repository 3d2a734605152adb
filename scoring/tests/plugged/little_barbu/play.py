"""Simulation of a deal of Little Barbu with real cards, for the demo and for tests of the rules.

`skill` is the probability that a player chooses a sensible card instead of any legal card.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .rules import CONTRACTS, Deal, next_facts

CARDS_PER_PLAYER = 8  # also the number of tricks in a deal
HEARTS, QUEEN, KING, ACE = 3, 12, 13, 14
DOUBLE_PROBABILITY = 0.2  # that a player doubles the dealer

Card = tuple[int, int]  # suit 0 to 3, rank up to 14 (the ace)


class SimulatedDeal(NamedTuple):
    """The facts (JSON of what happened at the table), and the cards in the tricks that each seat won."""

    facts: dict[str, Any]
    won: tuple[tuple[Card, ...], ...]


def play(
    rng: random.Random,
    seats: int,
    skills: Sequence[float],
    options: Mapping[str, object] | None = None,
    earlier: Sequence[Deal] = (),
) -> SimulatedDeal:
    """Simulate one deal: deal the cards, choose a contract that the dealer has not named before, double, and play.

    `skills` are by seat, from 0 (any legal card) to 1.
    """
    dealer = next_facts(seats, earlier)["dealer"]
    used = {deal.contract for deal in earlier if deal.dealer == dealer}
    contract = rng.choice([name for name in CONTRACTS if name not in used] or list(CONTRACTS))
    doubled = [seat != dealer and rng.random() < DOUBLE_PROBABILITY for seat in range(seats)]
    won = _play_tricks(rng, seats, skills, dealer)
    taken = [sum(_is_penalty_card(contract, card) for card in cards) for cards in won]
    if contract == "tricks":
        taken = [len(cards) // seats for cards in won]
    facts = {"contract": contract, "dealer": dealer, "taken": taken, "doubled": doubled}
    return SimulatedDeal(facts, tuple(map(tuple, won)))


def _is_penalty_card(contract: str, card: Card) -> bool:
    return card[1] == QUEEN if contract == "queens" else card == (HEARTS, KING)


def _play_tricks(rng: random.Random, seats: int, skills: Sequence[float], dealer: int) -> list[list[Card]]:
    """Return the cards in the tricks that each seat won. The seat after the dealer leads first."""
    pack = [(suit, rank) for suit in range(4) for rank in range(ACE + 1 - 2 * seats, ACE + 1)]
    rng.shuffle(pack)
    hands = [pack[CARDS_PER_PLAYER * seat : CARDS_PER_PLAYER * (seat + 1)] for seat in range(seats)]
    won: list[list[Card]] = [[] for _ in hands]
    leader = (dealer + 1) % seats
    while hands[leader]:
        trick: list[Card] = []
        for turn in range(seats):
            seat = (leader + turn) % seats
            card = _choose_card(rng, skills[seat], hands[seat], trick)
            hands[seat].remove(card)
            trick.append(card)
        leader = (leader + trick.index(_winning_card(trick))) % seats
        won[leader] += trick
    return won


def _winning_card(trick: Sequence[Card]) -> Card:
    return max((card for card in trick if card[0] == trick[0][0]), key=lambda card: card[1])


def _choose_card(rng: random.Random, skill: float, hand: Sequence[Card], trick: Sequence[Card]) -> Card:
    """Return a sensible card with the probability `skill`: the highest card that does not win, else the lowest card.
    Otherwise return any legal card.
    """
    legal = [card for card in hand if trick and card[0] == trick[0][0]] or list(hand)
    if rng.random() >= skill:
        return rng.choice(legal)
    losing = [card for card in legal if trick and _winning_card([*trick, card]) != card]
    return max(losing, key=lambda card: card[1]) if losing else min(legal, key=lambda card: card[1])
