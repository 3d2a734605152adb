"""Deals and plays a hand of belote, for the demo and for the properties of the tests.

Two rounds of bidding around a turned-up card, then eight tricks by the usual rules: follow suit, play higher in trumps,
trump when void and the partner is not winning. No announcements but belote. The players are simple: with the chance of
its skill a player thinks, else it plays any legal card. Knows no points but those of the cards.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

SUITS = ("spades", "hearts", "diamonds", "clubs")
TRUMP_ORDER = ("7", "8", "queen", "king", "10", "ace", "9", "jack")  # weakest first
PLAIN_ORDER = ("7", "8", "9", "jack", "queen", "king", "10", "ace")
TRUMP_POINTS = {"jack": 20, "9": 14, "ace": 11, "10": 10, "king": 4, "queen": 3, "8": 0, "7": 0}  # 003, value of cards
PLAIN_POINTS = {"ace": 11, "10": 10, "king": 4, "queen": 3, "jack": 2, "9": 0, "8": 0, "7": 0}
TAKE_FROM = 45  # a hand worth this much, counted as `_worth` does, takes


class Card(NamedTuple):
    """One of 32 cards."""

    suit: str
    rank: str


class Trick(NamedTuple):
    """Four cards in the order played; the first is `leader`'s, the next the following seat's."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


class Played(NamedTuple):
    """A deal as a sheet tells it, and the cards that it comes from. Passed: no trump, no tricks."""

    facts: dict[str, Any]
    trump: str | None
    hands: tuple[tuple[Card, ...], ...]
    tricks: tuple[Trick, ...]


def card_points(card: Card, trump: str) -> int:
    """Return what a card is worth in a trick."""
    return (TRUMP_POINTS if card.suit == trump else PLAIN_POINTS)[card.rank]


def play(
    rng: random.Random,
    seats: int,
    skills: Sequence[float],
    options: Mapping[str, object] | None = None,
    earlier: Sequence[object] = (),
) -> Played:
    """Deal, bid and play; any seat may be the first. `skills`: for each seat a number from 0 (any legal card) to 1.

    The facts are legal under every option.
    """
    assert seats == 4
    pack = [Card(suit, rank) for suit in SUITS for rank in PLAIN_ORDER]
    rng.shuffle(pack)
    hands = [pack[5 * seat : 5 * seat + 5] for seat in range(4)]
    turned, stock = pack[20], pack[21:]
    first = rng.randrange(4)
    taker, trump = _bid(rng, hands, turned, skills, first)
    if taker is None:
        return Played({"taker": None}, None, tuple(map(tuple, hands)), ())
    for seat in range(4):
        more = 2 if seat == taker else 3
        hands[seat] += stock[:more]
        stock = stock[more:]
    hands[taker].append(turned)
    dealt = tuple(map(tuple, hands))
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


def _worth(hand: Sequence[Card], trump: str) -> int:
    """Return how good a hand is with that trump: its points, aces beside it, and 3 for each trump."""
    return sum(TRUMP_POINTS[card.rank] + 3 if card.suit == trump else 8 * (card.rank == "ace") for card in hand)


def _bid(
    rng: random.Random, hands: Sequence[Sequence[Card]], turned: Card, skills: Sequence[float], first: int
) -> tuple[int | None, str]:
    """Return who takes and the trump: first round the turned suit, with the turned card; then any other suit."""
    order = [(first + turn) % 4 for turn in range(4)]
    for seat in order:
        if _worth([*hands[seat], turned], turned.suit) + _misjudged(rng, skills[seat]) >= TAKE_FROM:
            return seat, turned.suit
    for seat in order:
        trump = max((suit for suit in SUITS if suit != turned.suit), key=lambda suit: _worth(hands[seat], suit))
        if _worth(hands[seat], trump) + _misjudged(rng, skills[seat]) >= TAKE_FROM:
            return seat, trump
    return None, turned.suit


def _misjudged(rng: random.Random, skill: float) -> float:
    return rng.uniform(-20, 20) * (1 - skill)


def _tricks(
    rng: random.Random, hands: list[list[Card]], trump: str, skills: Sequence[float], first: int
) -> tuple[Trick, ...]:
    """Play eight tricks, which empties the hands."""
    tricks: list[Trick] = []
    leader = first
    for _number in range(8):
        cards: list[Card] = []
        for turn in range(4):
            seat = (leader + turn) % 4
            legal = playable(hands[seat], cards, trump)
            card = _thought(legal, cards, trump) if rng.random() < skills[seat] else rng.choice(legal)
            hands[seat].remove(card)
            cards.append(card)
        tricks.append(Trick(leader, tuple(cards), (leader + winning(cards, trump)) % 4))
        leader = tricks[-1].winner
    return tuple(tricks)


def strength(card: Card, led: str, trump: str) -> int:
    """Return how high a card stands in a trick; below 0 when it can't win."""
    if card.suit == trump:
        return 10 + TRUMP_ORDER.index(card.rank)
    return PLAIN_ORDER.index(card.rank) if card.suit == led else -1


def winning(cards: Sequence[Card], trump: str) -> int:
    """Return which of a trick's cards wins it, counted from the leader's."""
    led = cards[0].suit
    return max(range(len(cards)), key=lambda turn: strength(cards[turn], led, trump))


def playable(hand: Sequence[Card], cards: Sequence[Card], trump: str) -> list[Card]:
    """Return the legal cards of a hand, after those already in the trick."""
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


def _thought(legal: Sequence[Card], cards: Sequence[Card], trump: str) -> Card:
    """Return a thinker's card: lead what wins, give points to the partner, win cheaply, else throw little."""

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
