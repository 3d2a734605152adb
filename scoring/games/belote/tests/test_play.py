"""SimulatedDeal deals of belote: the cards recounted, the rules kept, the sheet accepted."""

import random

from scoring import trick_play
from scoring.games.belote import play
from scoring.games.belote.rules import RULES
from scoring.trick_play import Card


def played(number: int, skill: float = 0.8) -> list[play.SimulatedDeal]:
    rng = random.Random(7)
    return [play.play(rng, 4, [skill] * 4) for _ in range(number)]


def test_every_played_deal_is_accepted_without_a_doubt() -> None:
    for deal in played(400, 0.5):
        assert RULES.score(RULES.read(4, deal.facts), RULES.read_options({})).warnings == ()


def test_points_are_those_of_the_cards() -> None:
    # 003, value of cards, typed once more: the sheet must agree with a recount from the tricks.
    trumps = {"jack": 20, "9": 14, "ace": 11, "10": 10, "king": 4, "queen": 3}
    plain = {"ace": 11, "10": 10, "king": 4, "queen": 3, "jack": 2}
    for deal in played(200):
        if deal.trump is None:
            assert deal.facts.keys() in ({"taker"}, {"penalty"})
            assert deal.facts.get("taker") is None
            continue
        won = [0, 0]
        for trick in deal.tricks:
            for card in trick.cards:
                won[trick.winner % 2] += (trumps if card.suit == deal.trump else plain).get(card.rank, 0)
        taker = deal.facts["taker"]
        assert sum(won) == 152
        assert deal.facts["points"] == won[taker % 2]
        mine = [trick.winner % 2 == taker % 2 for trick in deal.tricks]
        assert deal.facts["last_trick"] == ("attack" if mine[-1] else "defence")
        slam = "attack" if all(mine) else None if any(mine) else "defence"
        assert deal.facts["all_tricks"] == slam


def test_belote_is_the_king_and_queen_of_trumps_in_one_hand() -> None:
    for deal in (deal for deal in played(200) if deal.trump is not None):
        holders = [
            seat
            for seat, hand in enumerate(deal.hands)
            if sum(card.suit == deal.trump and card.rank in ("king", "queen") for card in hand) == 2
        ]
        taker = deal.facts["taker"]
        expected = ("attack" if (holders[0] - taker) % 2 == 0 else "defence") if holders else None
        assert deal.facts["belote"] == expected


def test_each_card_is_played_once_from_the_hand_that_holds_it() -> None:
    for deal in (deal for deal in played(100) if deal.tricks):
        hands = [set(hand) for hand in deal.hands]
        assert all(len(hand) == 8 for hand in hands)
        for trick in deal.tricks:
            for turn, card in enumerate(trick.cards):
                hands[(trick.leader + turn) % 4].remove(card)
        assert not any(hands)


def test_what_may_be_played() -> None:
    hand = [Card("hearts", "7"), Card("spades", "9"), Card("spades", "8"), Card("clubs", "ace")]
    # Trumps are spades. Follow suit; play higher in trumps; trump when void; free when the partner wins.
    assert trick_play.legal_cards(hand, [Card("hearts", "ace")], "spades") == [hand[0]]
    assert trick_play.legal_cards(hand, [Card("spades", "ace")], "spades") == [hand[1]]
    assert trick_play.legal_cards(hand, [Card("spades", "jack")], "spades") == [hand[1], hand[2]]
    assert trick_play.legal_cards(hand, [Card("diamonds", "ace")], "spades") == [hand[1], hand[2]]
    assert trick_play.legal_cards(hand, [Card("diamonds", "7"), Card("spades", "10")], "spades") == [hand[1]]
    assert trick_play.legal_cards(hand, [Card("diamonds", "ace"), Card("diamonds", "7")], "spades") == hand
    assert trick_play.legal_cards(hand, [], "spades") == hand


def test_skill_shows() -> None:
    rng = random.Random(3)
    won = [0, 0]
    for _ in range(300):
        deal = play.play(rng, 4, [1.0, 0.0, 1.0, 0.0])
        for seat, points in enumerate(RULES.score(RULES.read(4, deal.facts), RULES.read_options({})).points):
            won[seat % 2] += points
    assert won[0] > 1.2 * won[1]


def test_some_deals_are_passed_and_some_have_a_belote() -> None:
    deals = played(400)
    assert any(deal.facts == {"taker": None} for deal in deals)
    assert any("penalty" in deal.facts for deal in played(1000))
    assert {deal.facts.get("belote") for deal in deals} == {None, "attack", "defence"}
