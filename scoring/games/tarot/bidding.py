"""Decisions of simulated tarot players before the first trick: bids, called kings, discards and handfuls.

Players with less skill decide worse.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from scoring.games.tarot.cards import TRUMPS_OF_HANDFUL
from scoring.games.tarot.tricks import EXCUSE, HALF_POINTS, LOWEST_TRUMP, RANKS_PER_SUIT, SUITS, TRUMP, TWENTY_ONE, king

# The minimum strength for a contract at a table of four, the highest first.
MIN_STRENGTHS = (("guard_against", 77.0), ("guard_without", 69.0), ("guard", 56.0), ("take", 44.0))
MIN_SLAM_STRENGTH = 98.0
# A factor by number of seats. With more players the taker's hand is smaller, but so are the defence's hands.
STRENGTH_FACTORS = {3: 0.86, 4: 1.05, 5: 1.15, 6: 1.3}
# The strength that a called partner adds.
PARTNER_STRENGTH = 7.0
JUDGEMENT_ERROR = 18.0  # standard deviation of the estimated strength for a player without skill
HANDFUL_PROBABILITY = 0.7


class Bid(NamedTuple):
    seat: int
    contract: str
    slam_announced: bool


def hand_strength(hand: Sequence[int]) -> float:
    """Return the strength of a hand for the taker at a table of four: the usual points for trumps, oudlers, characters
    and short suits.
    """
    trumps = [card for card in hand if SUITS[card] == TRUMP]
    points = 2.0 * len(trumps) + 2.0 * sum(card >= 71 for card in trumps)
    points += 8 * (TWENTY_ONE in hand) + 7 * (EXCUSE in hand) + (6 if len(trumps) > 5 else 2) * (LOWEST_TRUMP in hand)
    for suit in range(4):
        ranks = [card % RANKS_PER_SUIT for card in hand if SUITS[card] == suit]
        points += 7 * (13 in ranks) + 3 * (12 in ranks) + 2 * (11 in ranks) + (10 in ranks)
        points += {0: 5, 1: 3}.get(len(ranks), 0)
    return points


def choose_bid(rng: Random, hands: Sequence[Sequence[int]], skills: Sequence[float], first: int) -> Bid | None:
    """Return the highest bid; None if everyone passes. Each seat may bid once, in turn from `first`, and only higher
    than the bids before it.
    """
    seats = len(hands)
    highest: Bid | None = None
    for seat in (*range(first, seats), *range(first)):
        estimate = hand_strength(hands[seat]) * STRENGTH_FACTORS[seats] + (PARTNER_STRENGTH if seats > 4 else 0)
        estimate += rng.gauss(0, JUDGEMENT_ERROR * (1 - skills[seat]))
        contract = next((name for name, minimum in MIN_STRENGTHS if estimate >= minimum), None)
        if contract and (highest is None or _contract_rank(contract) > _contract_rank(highest.contract)):
            highest = Bid(seat, contract, estimate >= MIN_SLAM_STRENGTH)
    return highest


def _contract_rank(contract: str) -> int:
    return -[name for name, _ in MIN_STRENGTHS].index(contract)


def choose_partner(rng: Random, hands: Sequence[Sequence[int]], bid: Bid, six_player_partner: object) -> int | None:
    """Return the seat of the taker's partner at a table of 5 or 6.

    The taker calls a king that they do not have; with all kings, a queen, and so on. Return None at smaller tables, and
    if the called card is in the dog (the hidden cards). With the house rule `six_player_partner` "opposite", the
    partner at a table of 6 sits opposite the taker.
    """
    seats = len(hands)
    if seats < 5:
        return None
    if seats == 6 and six_player_partner == "opposite":
        return (bid.seat + 3) % 6
    # A taker with all four kings calls a queen, and so on down.
    for lower in range(RANKS_PER_SUIT):
        missing = [king(suit) - lower for suit in range(4) if king(suit) - lower not in hands[bid.seat]]
        if missing:
            wanted = rng.choice(missing)
            return next((seat for seat, hand in enumerate(hands) if wanted in hand), None)
    return None


def choose_discard(rng: Random, cards: Sequence[int], number: int, skill: float) -> list[int]:
    """Return the `number` cards that the taker discards: no kings and no oudlers, and trumps only if there are not
    enough other cards. A skilled player discards cards of short suits first.
    """
    plain = [card for card in cards if SUITS[card] < TRUMP and card % RANKS_PER_SUIT != 13]
    if rng.random() >= skill:
        rng.shuffle(plain)
    else:
        length = [sum(SUITS[card] == suit for card in cards) for suit in range(4)]
        plain.sort(key=lambda card: (length[SUITS[card]], -HALF_POINTS[card]))
    trumps = sorted(card for card in cards if SUITS[card] == TRUMP and card not in (LOWEST_TRUMP, TWENTY_ONE))
    return (plain + trumps)[:number]


def choose_shown_handfuls(rng: Random, hands: Sequence[Sequence[int]]) -> list[dict[str, object]]:
    """Return the shown handfuls as facts (JSON of what happened): `{"seat": 0, "size": "simple"}`.

    A player with enough trumps, the Excuse included, shows a handful with HANDFUL_PROBABILITY.
    """
    sizes = TRUMPS_OF_HANDFUL[len(hands)]
    handfuls: list[dict[str, object]] = []
    for seat, hand in enumerate(hands):
        trumps = sum(card >= LOWEST_TRUMP for card in hand)
        size = next((name for name in reversed(tuple(sizes)) if trumps >= sizes[name]), None)
        if size and rng.random() < HANDFUL_PROBABILITY:
            handfuls.append({"seat": seat, "size": size})
    return handfuls
