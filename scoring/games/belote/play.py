"""Simulation of a hand of belote, for the demo and for tests of the rules.

Two rounds of bidding on an upcard, then eight tricks by the usual rules: follow suit, overtrump, and trump when void
unless the partner is winning. The only announcement is belote. `skill` is the probability of a sensible card instead of
any legal card.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

SUITS = ("spades", "hearts", "diamonds", "clubs")
TRUMP_ORDER = ("7", "8", "queen", "king", "10", "ace", "9", "jack")  # weakest first
PLAIN_ORDER = ("7", "8", "9", "jack", "queen", "king", "10", "ace")
TRUMP_POINTS = {"jack": 20, "9": 14, "ace": 11, "10": 10, "king": 4, "queen": 3, "8": 0, "7": 0}  # 003, value of cards
PLAIN_POINTS = {"ace": 11, "10": 10, "king": 4, "queen": 3, "jack": 2, "9": 0, "8": 0, "7": 0}
PENALTIES = 0.004  # the share of irregularities among played deals
TAKE_FROM = 45  # the least `_hand_points` of a hand that takes


class Card(NamedTuple):
    suit: str
    rank: str


class Trick(NamedTuple):
    leader: int
    cards: tuple[Card, ...]
    winner: int


class Played(NamedTuple):
    """The facts and the cards of a deal. A passed deal has no trump and no tricks, nor has one with an irregularity."""

    facts: dict[str, Any]
    trump: str | None
    hands: tuple[tuple[Card, ...], ...]
    tricks: tuple[Trick, ...]


def card_points(card: Card, trump: str) -> int:
    return (TRUMP_POINTS if card.suit == trump else PLAIN_POINTS)[card.rank]


def play(
    rng: random.Random,
    seats: int,
    skills: Sequence[float],
    options: Mapping[str, object] | None = None,
    earlier: Sequence[object] = (),
) -> Played:
    """Deal, bid and play. `skills` are from 0 (any legal card) to 1. The facts are legal under every option."""
    assert seats == 4
    pack = [Card(suit, rank) for suit in SUITS for rank in PLAIN_ORDER]
    rng.shuffle(pack)
    hands = [pack[5 * seat : 5 * seat + 5] for seat in range(4)]
    turned, rest = pack[20], pack[21:]
    first = rng.randrange(4)
    taker, trump = _bid(rng, hands, turned, skills, first)
    if taker is None:
        return Played({"taker": None}, None, tuple(map(tuple, hands)), ())
    for seat in range(4):
        count = 2 if seat == taker else 3
        hands[seat] += rest[:count]
        rest = rest[count:]
    hands[taker].append(turned)
    dealt = tuple(map(tuple, hands))
    if rng.random() < PENALTIES:
        return Played({"penalty": rng.randrange(4)}, None, dealt, ())
    tricks = _tricks(rng, hands, trump, skills, first)
    return Played(_facts(taker, trump, dealt, tricks), trump, dealt, tricks)


def _facts(taker: int, trump: str, hands: tuple[tuple[Card, ...], ...], tricks: tuple[Trick, ...]) -> dict[str, Any]:
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
    """Return the value of a hand: its trump points, 3 for each trump, and 8 for each other ace."""
    return sum(TRUMP_POINTS[card.rank] + 3 if card.suit == trump else 8 * (card.rank == "ace") for card in hand)


def _bid(
    rng: random.Random, hands: Sequence[Sequence[Card]], turned: Card, skills: Sequence[float], first: int
) -> tuple[int | None, str]:
    """Return taker and trump: in the first round the suit of the upcard, then any other suit."""
    order = [(first + turn) % 4 for turn in range(4)]
    for seat in order:
        if _hand_points([*hands[seat], turned], turned.suit) + _error(rng, skills[seat]) >= TAKE_FROM:
            return seat, turned.suit
    for seat in order:
        trump = max((suit for suit in SUITS if suit != turned.suit), key=lambda suit: _hand_points(hands[seat], suit))
        if _hand_points(hands[seat], trump) + _error(rng, skills[seat]) >= TAKE_FROM:
            return seat, trump
    return None, turned.suit


def _error(rng: random.Random, skill: float) -> float:
    return rng.uniform(-20, 20) * (1 - skill)


def _tricks(
    rng: random.Random, hands: list[list[Card]], trump: str, skills: Sequence[float], first: int
) -> tuple[Trick, ...]:
    """Play eight tricks. This empties the hands."""
    tricks: list[Trick] = []
    leader = first
    for _number in range(8):
        cards: list[Card] = []
        for turn in range(4):
            seat = (leader + turn) % 4
            legal = playable(hands[seat], cards, trump)
            card = _choose(legal, cards, trump) if rng.random() < skills[seat] else rng.choice(legal)
            hands[seat].remove(card)
            cards.append(card)
        tricks.append(Trick(leader, tuple(cards), (leader + winning(cards, trump)) % 4))
        leader = tricks[-1].winner
    return tuple(tricks)


def strength(card: Card, led: str, trump: str) -> int:
    """Return the rank of a card in a trick; negative if it can't win."""
    if card.suit == trump:
        return 10 + TRUMP_ORDER.index(card.rank)
    return PLAIN_ORDER.index(card.rank) if card.suit == led else -1


def winning(cards: Sequence[Card], trump: str) -> int:
    led = cards[0].suit
    return max(range(len(cards)), key=lambda turn: strength(cards[turn], led, trump))


def playable(hand: Sequence[Card], cards: Sequence[Card], trump: str) -> list[Card]:
    if not cards:
        return list(hand)
    led, best = cards[0].suit, winning(cards, trump)
    height = strength(cards[best], led, trump)
    following = [card for card in hand if card.suit == led]
    if following and led != trump:
        return following
    partner_wins = len(cards) >= 2 and best == len(cards) - 2
    trumps = [card for card in hand if card.suit == trump]
    if not trumps or (led != trump and partner_wins):
        return list(hand)
    return [card for card in trumps if strength(card, led, trump) > height] or trumps


def _choose(legal: Sequence[Card], cards: Sequence[Card], trump: str) -> Card:
    """Lead a winning card, give points to a winning partner, win cheaply, otherwise discard low."""

    def points(card: Card) -> int:
        return card_points(card, trump)

    if not cards:
        masters = [card for card in legal if card.rank == ("jack" if card.suit == trump else "ace")]
        return masters[0] if masters else min(legal, key=points)
    led, best = cards[0].suit, winning(cards, trump)
    height = strength(cards[best], led, trump)
    if len(cards) >= 2 and best == len(cards) - 2:
        return max(legal, key=points)
    winners = [card for card in legal if strength(card, led, trump) > height]
    if not winners:
        return min(legal, key=points)
    cheapest = min(winners, key=lambda card: strength(card, led, trump))
    return cheapest if len(cards) == 3 else max(winners, key=lambda card: strength(card, led, trump))
