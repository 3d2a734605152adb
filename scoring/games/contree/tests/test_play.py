"""SimulatedDeal deals of contrée: the cards recounted, the rules kept, the sheet accepted."""

import random

import pytest

from scoring import trick_play
from scoring.games.contree import play
from scoring.games.contree.rules import CONTRACTS, RULES, is_made
from scoring.trick_play import Card

ANNOUNCEMENTS = {"announcements": True}
# RULES.md, C1.4, typed once more: the sheet must agree with a recount from the tricks.
TRUMP = {"jack": 20, "9": 14, "ace": 11, "10": 10, "king": 4, "queen": 3}
PLAIN = {"ace": 11, "10": 10, "king": 4, "queen": 3, "jack": 2}
ALL_TRUMPS = {"jack": 14, "9": 9, "ace": 6, "10": 5, "king": 3, "queen": 1}


def played(number: int, skill: float = 0.8) -> list[play.SimulatedDeal]:
    rng = random.Random(7)
    return [play.play(rng, 4, [skill] * 4, ANNOUNCEMENTS) for _ in range(number)]


def worth(card: Card, trump: str) -> int:
    if trump == "no_trump":
        return {**PLAIN, "ace": 19}.get(card.rank, 0)
    if trump == "all_trumps":
        return ALL_TRUMPS.get(card.rank, 0)
    return (TRUMP if card.suit == trump else PLAIN).get(card.rank, 0)


def test_a_played_deal_is_doubted_only_if_one_side_lost_a_trick_without_points() -> None:
    for deal in played(400, 0.5):
        warnings = RULES.play(4, deal.facts, RULES.read_options(ANNOUNCEMENTS)).warnings
        sides = {trick.winner % 2 for trick in deal.tricks}
        points = deal.facts.get("points")
        all_points = points == (152 if deal.facts.get("last_trick") == "attack" else 0)
        assert [warning.code for warning in warnings] == ["every_trick_too"] * (len(sides) == 2 and all_points)


def test_points_and_tricks_are_those_of_the_cards() -> None:
    for deal in (deal for deal in played(300) if deal.tricks):
        facts, won = deal.facts, [0, 0]
        for trick in deal.tricks:
            won[trick.winner % 2] += sum(worth(card, facts["trump"]) for card in trick.cards)
        assert sum(won) == 152
        assert facts["points"] == won[facts["taker"] % 2]
        winners = {trick.winner for trick in deal.tricks}
        mine = {winner % 2 == facts["taker"] % 2 for winner in winners}
        expected = None if len(mine) == 2 else "defence" if mine == {False} else "attack"
        assert facts["all_tricks"] == ("taker" if winners == {facts["taker"]} else expected)


def test_belotes_are_kings_and_queens_of_trumps_in_one_hand() -> None:
    for deal in (deal for deal in played(200) if deal.tricks):
        trump = deal.facts["trump"]
        suits = trick_play.SUITS if trump == "all_trumps" else (trump,)
        holders = [
            seat % 2 == deal.facts["taker"] % 2
            for seat, hand in enumerate(deal.hands)
            for suit in suits
            if {Card(suit, "king"), Card(suit, "queen")} <= set(hand)
        ]
        expected = {"attack": holders.count(True), "defence": holders.count(False)}
        assert deal.facts.get("belotes", {"attack": 0, "defence": 0}) == expected


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("7s 8s 9s 10h jackh kingc 7d acec", [20]),
        ("7s 8s 9s 10s jackh kingc 7d acec", [50]),
        ("7s 8s 9s 10s jacks queens 7d acec", [100]),
        ("jacks jackh jackd jackc 9s 10s 7d 8d", [200, 20]),
        ("9s 9h 9d 9c 7h 8h kings aces", [150, 20]),
    ],
)
def test_sequences_and_fours_of_a_kind_are_announced(hand: str, points: list[int]) -> None:
    suits = {suit[0]: suit for suit in trick_play.SUITS}
    cards = [Card(suits[text[-1]], text[:-1]) for text in hand.split()]
    assert list(play.announcement_points(cards)) == points


def test_each_card_is_played_once_from_the_hand_that_holds_it() -> None:
    for deal in (deal for deal in played(100) if deal.tricks):
        hands = [set(hand) for hand in deal.hands]
        for trick in deal.tricks:
            for turn, card in enumerate(trick.cards):
                hands[(trick.leader + turn) % 4].remove(card)
        assert not any(hands)


def test_legal_cards() -> None:
    hand = [Card("hearts", "7"), Card("spades", "9"), Card("spades", "8"), Card("clubs", "ace")]
    assert trick_play.legal_cards(hand, [Card("hearts", "ace")], "spades") == [hand[0]]
    assert trick_play.legal_cards(hand, [Card("spades", "ace")], "spades") == [hand[1]]
    assert trick_play.legal_cards(hand, [Card("spades", "ace")], "no_trump") == [hand[1], hand[2]]
    assert trick_play.legal_cards(hand, [Card("spades", "ace")], "all_trumps") == [hand[1]]
    assert trick_play.legal_cards(hand, [Card("diamonds", "ace")], "spades") == [hand[1], hand[2]]
    assert trick_play.legal_cards(hand, [Card("diamonds", "ace")], "all_trumps") == hand
    assert trick_play.legal_cards(hand, [Card("diamonds", "ace"), Card("diamonds", "7")], "spades") == hand
    assert (
        trick_play.legal_cards(hand, [Card("diamonds", "7"), Card("diamonds", "ace"), Card("diamonds", "8")], "spades")
        == hand
    )


def test_contracts_of_every_height_are_made_and_lost() -> None:
    options = RULES.read_options(ANNOUNCEMENTS)
    outcomes = {
        (deal.facts["contract"], is_made(RULES.read(4, deal.facts), options)) for deal in played(3000) if deal.tricks
    }
    assert {contract for contract, _is_made in outcomes} >= set(CONTRACTS[:7])
    assert {is_contract_made for _contract, is_contract_made in outcomes} == {True, False}


def test_skill_shows() -> None:
    rng, won = random.Random(3), [0, 0]
    for _ in range(300):
        deal = play.play(rng, 4, [1.0, 0.0, 1.0, 0.0])
        for seat, points in enumerate(RULES.play(4, deal.facts, RULES.read_options({})).points):
            won[seat % 2] += points
    assert won[0] > 1.2 * won[1]
