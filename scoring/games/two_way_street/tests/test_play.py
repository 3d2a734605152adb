"""SimulatedDeal hands of Two Way Street: the tricks recounted, the rules kept, the sheet accepted."""

import random

import pytest

from scoring.games.two_way_street import play
from scoring.games.two_way_street.rules import RULES


def played(seats: int, number: int = 40, skill: float = 0.8) -> list[play.SimulatedDeal]:
    rng = random.Random(seats)
    return [play.play(rng, seats, [skill] * seats) for _ in range(number)]


@pytest.mark.parametrize("seats", range(2, 13))
def test_every_played_deal_is_accepted_without_a_doubt(seats: int) -> None:
    for deal in played(seats):
        assert RULES.score(RULES.read(seats, deal.facts), RULES.read_options({})).warnings == ()


@pytest.mark.parametrize("seats", [2, 4, 7])
def test_tricks_are_won_by_the_highest_card_of_the_suit_led(seats: int) -> None:
    for deal in played(seats):
        hands = [list(hand) for hand in deal.hands]
        won = [0] * seats
        leader = deal.tricks[0].leader
        for trick in deal.tricks:
            assert trick.leader == leader
            led = trick.cards[0][0]
            best = max(rank for suit, rank in trick.cards if suit == led)
            leader = (leader + trick.cards.index((led, best))) % seats
            assert trick.winner == leader
            won[leader] += 1
            for turn, card in enumerate(trick.cards):
                hand = hands[(trick.leader + turn) % seats]
                assert card[0] == led or all(suit != led for suit, _rank in hand)
                hand.remove(card)
        assert not any(hands)
        facts = deal.facts
        sheet = facts["tricks"] if seats == 2 else [hand["tricks"] for hand in facts["hands"]]
        assert sheet == won


def test_players_are_forced_now_and_then() -> None:
    assert any(hand["forced"] for deal in played(4, 200) for hand in deal.facts["hands"])


def test_skill_shows() -> None:
    rng = random.Random(11)
    won = [0, 0, 0, 0]
    for _ in range(200):
        deal = play.play(rng, 4, [1.0, 0.0, 1.0, 0.0])
        for seat, points in enumerate(RULES.score(RULES.read(4, deal.facts), RULES.read_options({})).points):
            won[seat] += points
    assert won[0] + won[2] > 1.2 * (won[1] + won[3])
