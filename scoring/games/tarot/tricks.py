"""The 78 cards of tarot as numbers, the legal cards in a trick, and its winner (by the usual rules of French tarot).

A card of the suits 0 to 3 is 14 × suit + rank; jack, knight, queen and king are the ranks 10 to 13. The numbers 56 to
76 are the trumps 1 (the Small) to 21; 77 is the Excuse.
"""

from collections.abc import Sequence

from scoring.games.tarot.cards import HALF_POINTS_OF_CARDS

RANKS_PER_SUIT = 14
FIRST_TRUMP = 56
LOWEST_TRUMP = 56
TWENTY_ONE = 76
EXCUSE = 77
PACK = range(78)
TRUMP = 4  # as a suit
NO_SUIT = 5  # the suit of the Excuse

NAMES_OF_OUDLERS = {TWENTY_ONE: "21", EXCUSE: "excuse", LOWEST_TRUMP: "small"}
SUITS = tuple(TRUMP if LOWEST_TRUMP <= card <= TWENTY_ONE else card // RANKS_PER_SUIT for card in PACK)
CHARACTER_RANKS = (("jacks", 10), ("knights", 11), ("queens", 12), ("kings", 13))


def _half_points(card: int) -> int:
    if card in NAMES_OF_OUDLERS:
        return HALF_POINTS_OF_CARDS["oudlers"]
    kind = {rank: name for name, rank in CHARACTER_RANKS}.get(card % RANKS_PER_SUIT) if card < FIRST_TRUMP else None
    return HALF_POINTS_OF_CARDS[kind or "others"]


HALF_POINTS = tuple(_half_points(card) for card in PACK)


def king(suit: int) -> int:
    """Return the number of the king of a suit."""
    return RANKS_PER_SUIT * suit + 13


def led_suit(trick: Sequence[int]) -> int | None:
    """Return the suit that players must follow; None if the trick is empty or has only the Excuse."""
    for card in trick:
        if card != EXCUSE:
            return SUITS[card]
    return None


def legal_cards(hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """Return the cards of a hand that may be played: follow suit, otherwise trump, with a higher trump if possible.

    The Excuse is always allowed. A hand without the suit and without trumps may play any card.
    """
    suit = led_suit(trick)
    if suit is None:
        return list(hand)
    allowed = [card for card in hand if SUITS[card] == suit]
    if suit == TRUMP or not allowed:
        highest = max([card for card in trick if SUITS[card] == TRUMP], default=0)
        trumps = [card for card in hand if SUITS[card] == TRUMP]
        allowed = [card for card in trumps if card > highest] or trumps
    if not allowed:
        return list(hand)
    if EXCUSE in hand:
        allowed.append(EXCUSE)
    return allowed


def winning_index(trick: Sequence[int]) -> int:
    """Return the index of the winning card in the trick; 0 for an empty trick."""
    suit = led_suit(trick)
    winner, power = 0, -1
    for index, card in enumerate(trick):
        if SUITS[card] in (suit, TRUMP) and card > power:
            # Trumps have higher numbers than the cards of other suits.
            winner, power = index, card
    return winner
