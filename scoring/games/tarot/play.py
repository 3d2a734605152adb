"""Simulation of a deal of tarot with real cards, for the demo and for tests of the rules.

The facts (JSON of what happened) are the entries of a paper score sheet. The tests count the cards in the piles again.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from scoring.games.tarot import bidding
from scoring.games.tarot.bidding import Bid
from scoring.games.tarot.cards import HAND_AND_DOG_SIZES
from scoring.games.tarot.playing import choose_card
from scoring.games.tarot.tricks import (
    CHARACTER_RANKS,
    EXCUSE,
    FIRST_TRUMP,
    HALF_POINTS,
    LOWEST_TRUMP,
    NAMES_OF_OUDLERS,
    PACK,
    RANKS_PER_SUIT,
    winning_index,
)

Kind = Literal["taker", "one_for_one"]
Side = tuple[int, ...]


class SimulatedDeal(NamedTuple):
    """A simulated deal: its facts (JSON of what happened at the table) and its cards, as the numbers of tricks.py.

    `piles` are the cards won in tricks: by seat in a deal "one for one" (without a taker), else (attack, defence).
    `discard` are the taker's discarded cards, or the dog (the hidden cards) if the taker did not pick it up.
    """

    facts: dict[str, Any]
    hands: tuple[tuple[int, ...], ...]
    dog: tuple[int, ...]
    discard: tuple[int, ...]
    piles: tuple[tuple[int, ...], ...]


class Tricks(NamedTuple):
    """The played tricks: the won cards by side, the winning seat of each trick, and whether the last trick had the
    Small.

    `lone_excuse` is a side that played the Excuse before the last trick but won no trick; its Excuse is in the pile of
    the trick's winner. None if there is no such side.
    """

    piles: list[list[int]]
    winners: list[int]
    small_last: bool
    lone_excuse: int | None


def play(
    rng: Random,
    seats: int,
    skills: Sequence[float],
    options: Mapping[str, object] | None = None,
    earlier: Sequence[object] = (),
    *,
    kind: Kind | None = None,
) -> SimulatedDeal:
    """Simulate one deal for 3 to 6 players: deal the cards, bid and play. `skills` are by seat, from 0 to 1.

    If everyone passes, the deal is played "one for one": each player alone. With `kind`, cards are dealt again until
    the deal is of this kind. `options` are house rules; only "six_player_partner" is used. `earlier` is not used.
    """
    cards = list(PACK)
    while True:
        in_hand, in_dog = rng.choice(HAND_AND_DOG_SIZES[seats])
        rng.shuffle(cards)
        hands = [sorted(cards[seat * in_hand : (seat + 1) * in_hand]) for seat in range(seats)]
        dog = sorted(cards[seats * in_hand :])
        assert len(dog) == in_dog
        first = rng.randrange(seats)
        bid = bidding.choose_bid(rng, hands, skills, first)
        if bid is None and kind != "taker":
            return _play_one_for_one(rng, hands, dog, skills, first)
        if bid is not None and kind != "one_for_one":
            partner = bidding.choose_partner(rng, hands, bid, (options or {}).get("six_player_partner"))
            return _play_with_taker(rng, hands, dog, skills, first, bid, partner)


def _play_with_taker(
    rng: Random,
    hands: list[list[int]],
    dog: list[int],
    skills: Sequence[float],
    first: int,
    bid: Bid,
    partner: int | None,
) -> SimulatedDeal:
    dealt = _as_tuples(hands)
    discard = dog
    if bid.contract in ("take", "guard"):
        cards = sorted(hands[bid.seat] + dog)
        discard = bidding.choose_discard(rng, cards, len(dog), skills[bid.seat])
        hands[bid.seat] = [card for card in cards if card not in discard]
    handfuls = bidding.choose_shown_handfuls(rng, hands)
    attack = (bid.seat,) if partner is None else (bid.seat, partner)
    sides = [attack, tuple(seat for seat in range(len(hands)) if seat not in attack)]
    tricks = _play_tricks(rng, hands, sides, skills, bid.seat if bid.slam_announced else first)
    attack_cards = tricks.piles[0] + (discard if bid.contract != "guard_against" else [])
    # A side that wins no trick keeps its Excuse, which then counts 4: it has no card to give for it.
    excuses = {None: 0, 0: 1, 1: -1}[tricks.lone_excuse]
    won_by = ["attack" if seat in attack else "defence" for seat in tricks.winners]
    facts: dict[str, object] = {
        "contract": bid.contract,
        "taker": bid.seat,
        "partner": partner,
        "points": _card_points(attack_cards) + 4 * excuses,
        "oudlers": sum(card in NAMES_OF_OUDLERS for card in attack_cards) + excuses,
        "small_last": won_by[-1] if tricks.small_last else None,
        "handfuls": handfuls,
        "slam_announced": bid.slam_announced,
        "slam": won_by[0] if len(set(won_by)) == 1 else None,
    }
    return SimulatedDeal(facts, dealt, tuple(dog), tuple(discard), _as_tuples(tricks.piles))


def _play_one_for_one(
    rng: Random, hands: list[list[int]], dog: list[int], skills: Sequence[float], first: int
) -> SimulatedDeal:
    dealt = _as_tuples(hands)
    seats = len(hands)
    handfuls = bidding.choose_shown_handfuls(rng, hands)
    tricks = _play_tricks(rng, hands, [(seat,) for seat in range(seats)], skills, first)
    winners = tricks.winners
    facts: dict[str, object] = {
        "contract": "one_for_one",
        "dog_points": _card_points(dog),
        "teams": None,
        "piles": [_pile_facts(tricks.piles[seat], seat, winners) for seat in range(seats)],
        "small_last": winners[-1] if tricks.small_last else None,
        "handfuls": handfuls,
        "slam": winners[0] if len(set(winners)) == 1 else None,
    }
    return SimulatedDeal(facts, dealt, tuple(dog), tuple(dog), _as_tuples(tricks.piles))


def _pile_facts(cards: Sequence[int], seat: int, winners: Sequence[int]) -> dict[str, object]:
    plain = [card for card in cards if card < FIRST_TRUMP]
    return {
        "points": _card_points(cards),
        "oudlers": [NAMES_OF_OUDLERS[card] for card in cards if card in NAMES_OF_OUDLERS],
        "tricks": winners.count(seat),
        "characters": {
            name: sum(card % RANKS_PER_SUIT == rank for card in plain) for name, rank in reversed(CHARACTER_RANKS)
        },
        "first_trick": winners.index(seat) + 1 if seat in winners else None,
    }


def _play_tricks(
    rng: Random, hands: list[list[int]], sides: Sequence[Side], skills: Sequence[float], leader: int
) -> Tricks:
    """Play all tricks, and return them. All cards are removed from `hands`. `sides` are the seats that win cards
    together; the seat `leader` plays first.
    """
    seats = len(hands)
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    piles: list[list[int]] = [[] for _ in sides]
    winners: list[int] = []
    excuse: tuple[int, int] | None = None
    small_last = False
    while hands[0]:
        trick: list[int] = []
        order = [(leader + turn) % seats for turn in range(seats)]
        for seat in order:
            allies = [turn for turn in range(len(trick)) if side_of[order[turn]] == side_of[seat]]
            card = choose_card(rng, skills[seat], hands[seat], trick, allies, len(trick) == seats - 1)
            hands[seat].remove(card)
            trick.append(card)
        leader = order[winning_index(trick)]
        winners.append(leader)
        piles[side_of[leader]] += trick
        small_last = LOWEST_TRUMP in trick
        # The Excuse goes back to its player, except in the last trick.
        if EXCUSE in trick and hands[0]:
            excuse = side_of[order[trick.index(EXCUSE)]], side_of[leader]
    lone_excuse = None
    if excuse is not None:
        owner, winner = excuse
        if not piles[owner]:
            lone_excuse = owner
        elif owner != winner:
            _give_excuse_back(piles, owner, winner)
    return Tricks(piles, winners, small_last, lone_excuse)


def _give_excuse_back(piles: list[list[int]], owner: int, winner: int) -> None:
    """Give the Excuse back to the side that played it, in exchange for a low card of that side."""
    payment = min((card for card in piles[owner] if card not in NAMES_OF_OUDLERS), key=lambda card: HALF_POINTS[card])
    piles[owner].remove(payment)
    piles[winner].remove(EXCUSE)
    piles[owner].append(EXCUSE)
    piles[winner].append(payment)


def _card_points(cards: Sequence[int]) -> float:
    return sum(HALF_POINTS[card] for card in cards) / 2


def _as_tuples(hands: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(hand) for hand in hands)
