"""The 78 cards as numbers, what may be played to a trick and who wins it (the ordinary rules of French tarot).

Suits are 0 to 3, card = 14 × suit + rank with jack, knight, queen, king as ranks 10 to 13; 56 to 76 are the trumps
1 (the Small) to 21; 77 is the Excuse.
"""

from collections.abc import Sequence

from scoring.games.tarot.cards import VALUES

RANKS = 14
TRUMPS_FROM = 56
SMALL = 56
TWENTY_ONE = 76
EXCUSE = 77
PACK = range(78)
TRUMP = 4  # as a suit
NO_SUIT = 5  # the Excuse's

NAMES_OF_OUDLERS = {TWENTY_ONE: "21", EXCUSE: "excuse", SMALL: "small"}
SUITS = tuple(TRUMP if SMALL <= card <= TWENTY_ONE else card // RANKS for card in PACK)
KINDS = (("jacks", 10), ("knights", 11), ("queens", 12), ("kings", 13))


def _half_points(card: int) -> int:
    if card in NAMES_OF_OUDLERS:
        return VALUES["oudlers"]
    kind = {rank: name for name, rank in KINDS}.get(card % RANKS) if card < TRUMPS_FROM else None
    return VALUES[kind or "others"]


HALF_POINTS = tuple(_half_points(card) for card in PACK)


def king(suit: int) -> int:
    """Return the king of a suit."""
    return RANKS * suit + 13


def led(trick: Sequence[int]) -> int | None:
    """Return the suit to follow, or None when nothing or only the Excuse lies."""
    for card in trick:
        if card != EXCUSE:
            return SUITS[card]
    return None


def legal(hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """Return the cards of a hand that may be played: follow suit, else trump, and trump higher when one can."""
    suit = led(trick)
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


def best(trick: Sequence[int]) -> int:
    """Return the place in the trick of the card that wins it, 0 for an empty one."""
    suit = led(trick)
    found, power = 0, -1
    for place, card in enumerate(trick):
        if SUITS[card] in (suit, TRUMP) and card > power:
            # A trump's number is above that of every suit's card.
            found, power = place, card
    return found
