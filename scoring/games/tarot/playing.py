"""A simulated player's choice of a card: a random card without skill, a sensible card with skill."""

from collections.abc import Collection, Sequence
from random import Random

from scoring.games.tarot.tricks import (
    EXCUSE,
    HALF_POINTS,
    LOWEST_TRUMP,
    RANKS_PER_SUIT,
    SUITS,
    TRUMP,
    legal_cards,
    winning_index,
)


def choose_card(
    rng: Random, skill: float, hand: Sequence[int], trick: Sequence[int], allies: Collection[int], plays_last: bool
) -> int:
    """Return a legal card to play. `trick` are the cards played so far.

    `allies` are the indexes in the trick of cards of the player's own side. `plays_last`: the player is the last of
    this trick.
    """
    allowed = legal_cards(hand, trick)
    if len(allowed) == 1:
        return allowed[0]
    if len(hand) == 2 and EXCUSE in allowed:
        return EXCUSE  # it would be lost in the last trick
    if rng.random() >= skill:
        return rng.choice(allowed)
    if EXCUSE in allowed:
        allowed.remove(EXCUSE)
    if not trick:
        return _choose_first_card(allowed)
    return _choose_following_card(allowed, trick, allies, plays_last, EXCUSE in hand)


def _choose_first_card(allowed: Sequence[int]) -> int:
    kings = [card for card in allowed if SUITS[card] < TRUMP and card % RANKS_PER_SUIT == 13]
    if kings:
        return kings[0]
    trumps = [card for card in allowed if SUITS[card] == TRUMP]
    plain = [card for card in allowed if SUITS[card] < TRUMP]
    if len(trumps) > len(plain) or not plain:
        return max(trumps)
    return min(plain, key=lambda card: (HALF_POINTS[card], card % RANKS_PER_SUIT))


def _choose_following_card(
    allowed: Sequence[int], trick: Sequence[int], allies: Collection[int], plays_last: bool, has_excuse: bool
) -> int:
    """Return a sensible card for a trick that another player has begun.

    The last player plays a valuable card if an ally wins, or if the card wins. An earlier player plays a strong card
    that wins, unless an ally is winning. Otherwise the player plays a low card, or the Excuse if every other card is
    valuable.
    """
    winning = winning_index(trick)
    if plays_last and winning in allies:
        return max(allowed, key=lambda card: (HALF_POINTS[card], -card))
    beaten = trick[winning]
    winners = [card for card in allowed if winning_index((*trick, card)) == len(trick)] if beaten != EXCUSE else allowed
    if winners and plays_last:
        return max(winners, key=lambda card: (HALF_POINTS[card], -card))
    sure = [card for card in winners if card != LOWEST_TRUMP and (SUITS[card] == TRUMP or card % RANKS_PER_SUIT >= 12)]
    if sure and winning not in allies:
        return max(sure)
    if has_excuse and min(HALF_POINTS[card] for card in allowed) > 1:
        return EXCUSE
    return min(allowed, key=lambda card: (HALF_POINTS[card], SUITS[card] == TRUMP, card % RANKS_PER_SUIT))
