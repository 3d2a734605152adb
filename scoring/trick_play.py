"""Cards and tricks of four players with 32 cards and trumps, for the simulations of belote and contrée. No Django.

Players must follow suit. In trumps they must play a higher card if they can. Without a card of the suit, they must play
a trump unless their partner is winning. The trump is a suit, "no_trump" or "all_trumps".
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

SUITS = ("spades", "hearts", "diamonds", "clubs")
TRUMP_ORDER = ("7", "8", "queen", "king", "10", "ace", "9", "jack")  # weakest first
PLAIN_ORDER = ("7", "8", "9", "jack", "queen", "king", "10", "ace")
# Document 003, value of cards.
TRUMP_POINTS = {"jack": 20, "9": 14, "ace": 11, "10": 10, "king": 4, "queen": 3, "8": 0, "7": 0}
PLAIN_POINTS = {"ace": 11, "10": 10, "king": 4, "queen": 3, "jack": 2, "9": 0, "8": 0, "7": 0}
NO_TRUMP_POINTS = {**PLAIN_POINTS, "ace": 19}
ALL_TRUMPS_POINTS = {"jack": 14, "9": 9, "ace": 6, "10": 5, "king": 3, "queen": 1, "8": 0, "7": 0}


class Card(NamedTuple):
    suit: str
    rank: str


class Trick(NamedTuple):
    leader: int
    cards: tuple[Card, ...]
    winner: int


def shuffled_pack(rng: random.Random) -> list[Card]:
    pack = [Card(suit, rank) for suit in SUITS for rank in PLAIN_ORDER]
    rng.shuffle(pack)
    return pack


def is_trump(card: Card, trump: str) -> bool:
    return trump in ("all_trumps", card.suit)


def card_points(card: Card, trump: str) -> int:
    if trump == "no_trump":
        return NO_TRUMP_POINTS[card.rank]
    if trump == "all_trumps":
        return ALL_TRUMPS_POINTS[card.rank]
    return (TRUMP_POINTS if card.suit == trump else PLAIN_POINTS)[card.rank]


def play_tricks(
    rng: random.Random, hands: list[list[Card]], trump: str, skills: Sequence[float], first: int
) -> tuple[Trick, ...]:
    """Play eight tricks, and return them. All cards are removed from `hands`. The seat `first` leads.

    `skills` are by seat: the probability that the player chooses a sensible card instead of any legal card.
    """
    tricks: list[Trick] = []
    leader = first
    for _number in range(8):
        cards: list[Card] = []
        for turn in range(4):
            seat = (leader + turn) % 4
            legal = legal_cards(hands[seat], cards, trump)
            card = _choose_card(legal, cards, trump) if rng.random() < skills[seat] else rng.choice(legal)
            hands[seat].remove(card)
            cards.append(card)
        tricks.append(Trick(leader, tuple(cards), (leader + winning_index(cards, trump)) % 4))
        leader = tricks[-1].winner
    return tuple(tricks)


def strength(card: Card, led: str, trump: str) -> int:
    """Return the strength of a card in a trick whose first card has the suit `led`: the strongest card wins. Negative
    if the card can't win.
    """
    if card.suit != led and card.suit != trump:
        return -1
    if not is_trump(card, trump):
        return PLAIN_ORDER.index(card.rank)
    return 10 + TRUMP_ORDER.index(card.rank)


def winning_index(cards: Sequence[Card], trump: str) -> int:
    led = cards[0].suit
    return max(range(len(cards)), key=lambda turn: strength(cards[turn], led, trump))


def legal_cards(hand: Sequence[Card], cards: Sequence[Card], trump: str) -> list[Card]:
    if not cards:
        return list(hand)
    led, best = cards[0].suit, winning_index(cards, trump)
    height = strength(cards[best], led, trump)
    following = [card for card in hand if card.suit == led]
    if following:
        higher = [card for card in following if strength(card, led, trump) > height]
        return higher or following if is_trump(following[0], trump) else following
    partner_wins = len(cards) >= 2 and best == len(cards) - 2
    trumps = [card for card in hand if card.suit == trump]
    if not trumps or partner_wins:
        return list(hand)
    return [card for card in trumps if strength(card, led, trump) > height] or trumps


def _choose_card(legal: Sequence[Card], cards: Sequence[Card], trump: str) -> Card:
    """Return a sensible card. `cards` are the cards of the trick so far.

    The leader plays an ace, or a jack of trumps. If the partner is winning, the player plays the card with the most
    points. Otherwise they play their strongest card that wins, or the weakest that wins if they are last. Without such
    a card, they play the card with the fewest points.
    """

    def points(card: Card) -> int:
        return card_points(card, trump)

    if not cards:
        masters = [card for card in legal if card.rank == ("jack" if is_trump(card, trump) else "ace")]
        return masters[0] if masters else min(legal, key=points)
    led, best = cards[0].suit, winning_index(cards, trump)
    height = strength(cards[best], led, trump)
    if len(cards) >= 2 and best == len(cards) - 2:
        return max(legal, key=points)
    winners = [card for card in legal if strength(card, led, trump) > height]
    if not winners:
        return min(legal, key=points)
    cheapest = min(winners, key=lambda card: strength(card, led, trump))
    return cheapest if len(cards) == 3 else max(winners, key=lambda card: strength(card, led, trump))
