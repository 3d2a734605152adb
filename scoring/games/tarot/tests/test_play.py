"""Simulated hands: the cards are counted again."""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.tarot.cards import CHARACTERS, HAND_AND_DOG_SIZES, TRUMPS_OF_HANDFUL
from scoring.games.tarot.play import Kind, SimulatedDeal, play
from scoring.games.tarot.rules import RULES
from scoring.games.tarot.tests.strategies import TAROT
from scoring.games.tarot.tricks import EXCUSE, LOWEST_TRUMP, PACK, TWENTY_ONE, king, legal_cards, winning_index
from scoring.tests import laws
from tests.examples import examples

OUDLERS = {LOWEST_TRUMP: "small", TWENTY_ONE: "21", EXCUSE: "excuse"}
RANKS = {"kings": 13, "queens": 12, "knights": 11, "jacks": 10}


def card_points(cards: Sequence[int]) -> float:
    """Card points by 001, 1, counted on their own: not with the table of tricks.py."""
    plain = [card % 14 for card in cards if card < 56]
    points = 0.5 * len(cards) + 4 * sum(card in OUDLERS for card in cards)
    return points + sum({13: 4, 12: 3, 11: 2, 10: 1}.get(rank, 0) for rank in plain)


def check_cards(played: SimulatedDeal, seats: int) -> None:
    """Every card is dealt once and ends in one place; everybody has the hand that the dealing gives."""
    dealt = [card for hand in played.hands for card in hand] + list(played.dog)
    assert sorted(dealt) == list(PACK)
    assert sorted([card for pile in played.piles for card in pile] + list(played.discard)) == list(PACK)
    assert {(len(hand), len(played.dog)) for hand in played.hands} <= set(HAND_AND_DOG_SIZES[seats])
    for handful in played.facts["handfuls"]:
        hand = set(played.hands[handful["seat"]]) | (
            set(played.dog) if handful["seat"] == played.facts.get("taker") else set()
        )
        assert sum(card >= 56 for card in hand) >= TRUMPS_OF_HANDFUL[seats][handful["size"]]


def excuse_kept(played: SimulatedDeal) -> int:
    """Return 1 if the attack won no trick and keeps the Excuse, -1 if the defence does, after a slam."""
    dealt_to = [seat for seat, hand in enumerate(played.hands) if EXCUSE in hand]
    if not dealt_to and played.facts["contract"] in ("guard_without", "guard_against"):
        return 0
    holder = "attack" if {*dealt_to} <= {played.facts["taker"], played.facts["partner"]} else "defence"
    if holder == played.facts["slam"] or EXCUSE in played.discard:
        return 0
    return 1 if holder == "attack" else -1


def check_with_taker(played: SimulatedDeal) -> None:
    facts = played.facts
    attack, _ = played.piles
    won = [*attack, *(() if facts["contract"] == "guard_against" else played.discard)]
    excuses = excuse_kept(played) if facts["slam"] else 0
    assert facts["points"] == card_points(won) + 4 * excuses
    assert facts["oudlers"] == sum(card in OUDLERS for card in won) + excuses
    assert not [card for card in played.discard if card in OUDLERS or card in map(king, range(4))] or (
        facts["contract"] in ("guard_without", "guard_against")
    )


def check_one_for_one(played: SimulatedDeal) -> None:
    facts = played.facts
    assert facts["dog_points"] == card_points(played.dog)
    for pile, cards in zip(facts["piles"], played.piles, strict=True):
        assert pile["points"] == card_points(cards)
        assert set(pile["oudlers"]) == {OUDLERS[card] for card in cards if card in OUDLERS}
        for kind in CHARACTERS:
            assert pile["characters"][kind] == sum(card < 56 and card % 14 == RANKS[kind] for card in cards)


@settings(max_examples=examples(150), deadline=None)
@given(
    st.integers(3, 6),
    st.integers(0, 2**32),
    st.sampled_from((None, "taker", "one_for_one")),
    st.sampled_from(("called", "opposite")),
)
def test_hands_are_accepted_without_a_doubt_and_count_again(
    seats: int, seed: int, kind: Kind | None, partners: str
) -> None:
    rng = Random(seed)
    options = {"six_player_partner": partners}
    played = play(rng, seats, [rng.random() for _ in range(seats)], options, kind=kind)
    answer = laws.check_deal(TAROT, seats, played.facts, options)
    assert answer.warnings == ()
    assert kind in (None, "one_for_one") or played.facts["contract"] != "one_for_one"
    assert kind in (None, "taker") or played.facts["contract"] == "one_for_one"
    check_cards(played, seats)
    if played.facts["contract"] == "one_for_one":
        check_one_for_one(played)
    else:
        check_with_taker(played)


class Stacked(Random):
    """Deals the pack as it is written down here."""

    pack: tuple[int, ...] = ()

    def shuffle(self, x: MutableSequence[Any]) -> None:
        if len(x) == len(PACK):
            x[:] = self.pack
        else:
            super().shuffle(x)


def test_a_slam_leaves_the_excuse_to_the_side_that_holds_it() -> None:
    trumps_and_kings = [*range(LOWEST_TRUMP, TWENTY_ONE + 1), king(0), king(1), king(2)]
    low = [card for card in PACK if card not in trumps_and_kings and card != EXCUSE]
    rng = Stacked(1)
    rng.pack = (*trumps_and_kings, EXCUSE, *low)
    played = play(rng, 3, [1.0, 0.0, 0.0])
    facts = played.facts
    assert (facts["taker"], facts["slam"], facts["oudlers"]) == (0, "attack", 2)
    in_dog = card_points(played.dog) if facts["contract"] == "guard_against" else 0
    assert facts["points"] == 87 - in_dog
    check_cards(played, 3)
    check_with_taker(played)
    laws.check_deal(TAROT, 3, facts)


def test_the_same_seed_gives_the_same_hand() -> None:
    assert play(Random(7), 4, [0.5] * 4) == play(Random(7), 4, [0.5] * 4)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_skill_pays(seats: int) -> None:
    """One good player against poor ones gains over 400 hands."""
    rng = Random(seats)
    total = 0
    for number in range(400):
        good = number % seats
        skills = [1.0 if seat == good else 0.1 for seat in range(seats)]
        facts = play(rng, seats, skills).facts
        total += RULES.score(RULES.read(seats, facts), RULES.read_options({})).points[good]
    assert total > 0


def test_everything_that_happens_at_a_table_happens() -> None:
    rng = Random(1)
    hands = [play(rng, seats, [0.6] * seats).facts for seats in (3, 4, 5, 6) for _ in range(150)]
    assert {facts["contract"] for facts in hands} == {"take", "guard", "guard_without", "guard_against", "one_for_one"}
    assert any(facts["handfuls"] for facts in hands)
    assert {"attack", "defence"} <= {facts["small_last"] for facts in hands}
    assert any(facts.get("partner") is not None for facts in hands)


@pytest.mark.parametrize(
    ("hand", "trick", "allowed"),
    [
        ([0, 5, 20, 60, EXCUSE], [], [0, 5, 20, 60, EXCUSE]),
        ([0, 5, 20, 60, EXCUSE], [EXCUSE], [0, 5, 20, 60, EXCUSE]),
        ([0, 5, 20, 60], [13], [0, 5]),  # follow suit
        ([0, 5, 20, 60, EXCUSE], [13], [0, 5, EXCUSE]),
        ([20, 58, 60], [13], [58, 60]),  # else trump
        ([20, 58, 60], [13, 59], [60]),  # and higher, when one can
        ([20, 58], [13, 59], [58]),  # else lower
        ([20, 58, 60], [59], [60]),
        ([20, 30], [13, 59], [20, 30]),  # else anything
        ([20, 58], [EXCUSE, 57], [58]),  # the Excuse leads nothing
    ],
)
def test_what_may_be_played(hand: list[int], trick: list[int], allowed: list[int]) -> None:
    assert sorted(legal_cards(hand, trick)) == allowed


@pytest.mark.parametrize(
    ("trick", "place"),
    [([5, 13, 27], 1), ([5, 20, 27], 0), ([5, LOWEST_TRUMP, 13], 1), ([5, 60, 70, 13], 2), ([EXCUSE, 5, 20], 1)],
)
def test_who_wins_a_trick(trick: list[int], place: int) -> None:
    assert winning_index(trick) == place
