"""Simulation of a hand of contrée, for the demo and for tests of the rules.

One bid of each player, a double or two, then eight tricks by the usual rules: follow suit, play higher in trumps, and
trump when void unless the partner is winning. `skill` is the probability of a sensible card instead of any legal card.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

SUITS = ("spades", "hearts", "diamonds", "clubs")
TRUMPS = (*SUITS, "no_trump", "all_trumps")
TRUMP_ORDER = ("7", "8", "queen", "king", "10", "ace", "9", "jack")  # weakest first
PLAIN_ORDER = ("7", "8", "9", "jack", "queen", "king", "10", "ace")
SEQUENCE_ORDER = ("7", "8", "9", "10", "jack", "queen", "king", "ace")
TRUMP_POINTS = {"jack": 20, "9": 14, "ace": 11, "10": 10, "king": 4, "queen": 3}  # RULES.md, C1.4
PLAIN_POINTS = {"ace": 11, "10": 10, "king": 4, "queen": 3, "jack": 2}
NO_TRUMP_POINTS = {**PLAIN_POINTS, "ace": 19}
ALL_TRUMPS_POINTS = {"jack": 14, "9": 9, "ace": 6, "10": 5, "king": 3, "queen": 1}
TRUMP_WORTH = {"jack": 33, "9": 23, "ace": 15, "10": 12, "king": 11, "queen": 11, "8": 9, "7": 9}  # to the taker's bid
PARTNER_WORTH = 18  # what a bidder expects of the partner
USUAL_BID, BOLDNESS = 95, 1.8  # good hands bid more than they are worth, poor ones less
CAPOT_FROM, GENERALE_FROM = 172, 200
SEQUENCES = {3: 20, 4: 50}  # longer: 100
FOUR_OF_A_KIND = {"jack": 200, "9": 150, "ace": 100, "10": 100, "king": 100, "queen": 100}


class Card(NamedTuple):
    suit: str
    rank: str


class Trick(NamedTuple):
    leader: int
    cards: tuple[Card, ...]
    winner: int


class Played(NamedTuple):
    """The facts and the cards of a deal. A passed deal has no tricks."""

    facts: dict[str, Any]
    hands: tuple[tuple[Card, ...], ...]
    tricks: tuple[Trick, ...]


def is_trump(card: Card, trump: str) -> bool:
    return trump in ("all_trumps", card.suit)


def card_points(card: Card, trump: str) -> int:
    if trump == "no_trump":
        return NO_TRUMP_POINTS.get(card.rank, 0)
    if trump == "all_trumps":
        return ALL_TRUMPS_POINTS.get(card.rank, 0)
    return (TRUMP_POINTS if card.suit == trump else PLAIN_POINTS).get(card.rank, 0)


def play(
    rng: random.Random,
    seats: int,
    skills: Sequence[float],
    options: Mapping[str, object] | None = None,
    earlier: Sequence[object] = (),
) -> Played:
    """Deal, bid and play. `skills` are from 0 (any legal card) to 1. Announcements are made where they are played."""
    assert seats == 4
    pack = [Card(suit, rank) for suit in SUITS for rank in PLAIN_ORDER]
    rng.shuffle(pack)
    hands = [pack[8 * seat : 8 * seat + 8] for seat in range(4)]
    dealt = tuple(map(tuple, hands))
    first = rng.randrange(4)
    bid = _bid(rng, hands, skills, first)
    if bid is None:
        return Played({"taker": None}, dealt, ())
    taker, contract, trump = bid
    double = _double(rng, hands, taker, contract, trump)
    tricks = _tricks(rng, hands, trump, skills, first)
    facts = {
        "taker": taker,
        "contract": contract,
        "trump": trump,
        "double": double,
        **_result(taker, trump, tricks),
    }
    belotes = [_belotes(hand, trump) for hand in dealt]
    if any(belotes):
        facts["belotes"] = _sums_by_side(taker, belotes)
    if (options or {}).get("announcements"):
        facts["announcements"] = _announcements(taker, dealt, first)
    return Played(facts, dealt, tricks)


def _sums_by_side(taker: int, values: Sequence[int]) -> dict[str, int]:
    attack = values[taker] + values[(taker + 2) % 4]
    return {"attack": attack, "defence": sum(values) - attack}


def _result(taker: int, trump: str, tricks: Sequence[Trick]) -> dict[str, Any]:
    winners = {trick.winner for trick in tricks}
    attack = {taker, (taker + 2) % 4}
    all_tricks = None
    if winners == {taker}:
        all_tricks = "taker"
    elif winners <= attack:
        all_tricks = "attack"
    elif not winners & attack:
        all_tricks = "defence"
    return {
        "points": sum(card_points(card, trump) for trick in tricks if trick.winner in attack for card in trick.cards),
        "last_trick": "attack" if tricks[-1].winner in attack else "defence",
        "all_tricks": all_tricks,
    }


def _hand_points(hand: Sequence[Card], trump: str) -> float:
    """Return the points that a player expects to make with this trump."""
    aces = sum(card.rank == "ace" for card in hand)
    if trump == "no_trump":
        guarded = sum(card.rank == "10" and Card(card.suit, "ace") in hand for card in hand)
        return PARTNER_WORTH + 27 * aces + 13 * guarded
    if trump == "all_trumps":
        jacks = sum(card.rank == "jack" for card in hand)
        guarded = sum(card.rank == "9" and Card(card.suit, "jack") in hand for card in hand)
        return PARTNER_WORTH + 27 * jacks + 16 * guarded
    trumps = [card for card in hand if card.suit == trump]
    side_aces = aces - (Card(trump, "ace") in trumps)
    return PARTNER_WORTH + sum(TRUMP_WORTH[card.rank] for card in trumps) + 19 * side_aces


def _bid(
    rng: random.Random, hands: Sequence[Sequence[Card]], skills: Sequence[float], first: int
) -> tuple[int, int | str, str] | None:
    """Return the highest bidder, the contract and its trump: no more than needed to outbid the other pair."""
    best: list[tuple[float, int, str]] = []
    for turn in range(4):
        seat = (first + turn) % 4
        trump = max(TRUMPS, key=lambda choice: _hand_points(hands[seat], choice))
        error = rng.uniform(-20, 20) * (1 - skills[seat])
        best.append((USUAL_BID + BOLDNESS * (_hand_points(hands[seat], trump) + error - USUAL_BID), seat, trump))
    worth, taker, trump = max(best, key=lambda bid: bid[0])
    if worth < 80:
        return None
    if worth >= CAPOT_FROM:
        return taker, "generale" if worth >= GENERALE_FROM else "capot", trump
    opponents = max(opponent_worth for opponent_worth, seat, _trump in best if seat % 2 != taker % 2)
    needed = max(80, int(opponents) // 10 * 10 + 10)
    limit = int(worth) // 10 * 10
    return taker, min(limit, needed + 10 * rng.randrange(4), 180), trump


def _double(
    rng: random.Random, hands: Sequence[Sequence[Card]], taker: int, contract: int | str, trump: str
) -> str | None:
    """A defender doubles with many points in this trump, and sometimes without; few doubles are redoubled."""
    strongest = max(_hand_points(hands[(taker + turn) % 4], trump) for turn in (1, 3))
    high = isinstance(contract, str) or contract >= 120
    if rng.random() >= (0.5 if strongest >= 75 or (high and strongest >= 62) else 0.04):
        return None
    return "redouble" if rng.random() < 0.15 else "double"


def _belotes(hand: Sequence[Card], trump: str) -> int:
    return sum(
        Card(suit, "king") in hand and Card(suit, "queen") in hand for suit in SUITS if trump in ("all_trumps", suit)
    )


def _announcements(taker: int, hands: Sequence[Sequence[Card]], first: int) -> dict[str, int]:
    """Return the sums of the pair with the highest announcement; of equal ones, the first to speak counts."""
    announcements = [list(announced(hand)) for hand in hands]
    order = [(first + turn) % 4 for turn in range(4)]
    best = max(order, key=lambda seat: max(announcements[seat], default=0))
    sums = [sum(announcements[seat]) if seat % 2 == best % 2 else 0 for seat in range(4)]
    return _sums_by_side(taker, sums)


def announced(hand: Sequence[Card]) -> Iterator[int]:
    """Yield the points of a hand's sequences and fours of a kind."""
    for rank, points in FOUR_OF_A_KIND.items():
        if sum(card.rank == rank for card in hand) == 4:
            yield points
    for suit in SUITS:
        length = 0
        for rank in (*SEQUENCE_ORDER, "end"):
            if Card(suit, rank) in hand:
                length += 1
                continue
            if length >= 3:
                yield SEQUENCES.get(length, 100)
            length = 0


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
    if card.suit != led and card.suit != trump:
        return -1
    if not is_trump(card, trump):
        return PLAIN_ORDER.index(card.rank)
    return 10 + TRUMP_ORDER.index(card.rank)


def winning(cards: Sequence[Card], trump: str) -> int:
    led = cards[0].suit
    return max(range(len(cards)), key=lambda turn: strength(cards[turn], led, trump))


def playable(hand: Sequence[Card], cards: Sequence[Card], trump: str) -> list[Card]:
    if not cards:
        return list(hand)
    led, best = cards[0].suit, winning(cards, trump)
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


def _choose(legal: Sequence[Card], cards: Sequence[Card], trump: str) -> Card:
    """Lead a winning card, give points to a winning partner, win cheaply, otherwise discard low."""

    def points(card: Card) -> int:
        return card_points(card, trump)

    if not cards:
        masters = [card for card in legal if card.rank == ("jack" if is_trump(card, trump) else "ace")]
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
