"""Warnings about rounds that a secretary changed by hand."""

from league.draw.draw_types import DrawWarning, Person, Seating, Wishes
from league.draw.draw_warnings import draw_warnings
from league.draw.tests.test_draw import people


def test_a_round_changed_by_hand_gets_warnings() -> None:
    wishes = Wishes(sizes=(4,), separations=frozenset({(1, 8)}))
    present = [*people(8), Person(9), Person(10, from_round=2)]
    played = [Seating(1, ((1, 2, 3, 4), (5, 6, 7, 8)), resting=(9,))]
    seating = Seating(2, ((1, 5, 2, 8), (3, 6, 9)), resting=(7,))
    assert set(draw_warnings([seating], wishes, present, played)) == {
        DrawWarning("met_tonight", 2, 1, (1, 2), 2),
        DrawWarning("met_tonight", 2, 1, (5, 8), 2),
        DrawWarning("apart", 2, 1, (1, 8)),
        DrawWarning("size", 2, 2, (3, 6, 9)),
        DrawWarning("unseated", 2, None, (4,)),
        DrawWarning("unseated", 2, None, (10,)),
    }


def test_a_round_of_pairs_changed_by_hand_gets_warnings() -> None:
    present = [Person(1, partner=2), *people(8)[1:]]
    wishes = Wishes(sizes=(4,), has_pairs=True)
    played = [Seating(1, ((1, 3, 2, 4), (5, 7, 6, 8)))]
    seating = Seating(2, ((1, 2, 5, 6), (3, 7, 4, 8)))
    assert set(draw_warnings([seating], wishes, present, played)) == {
        DrawWarning("partners_apart", 2, 1, (1, 2)),
        DrawWarning("met_tonight", 2, 1, (5, 6), 2),
        DrawWarning("partners_again", 2, 2, (3, 4), 2),
        DrawWarning("partners_again", 2, 2, (7, 8), 2),
    }


def test_drawn_partners_end_when_one_of_them_registers_with_another_player() -> None:
    """Player 1 was drawn with 2, and registers with 5 after round 1: the draw then parts 1 and 2, as it should."""
    present = [Person(1, partner=5), *people(8)[1:]]
    wishes = Wishes(sizes=(4,), has_pairs=True, keep_partners=True)
    played = [Seating(1, ((1, 3, 2, 4), (5, 7, 6, 8)))]
    seating = Seating(2, ((1, 3, 5, 4), (2, 7, 6, 8)))
    assert {warning.code for warning in draw_warnings([seating], wishes, present, played)} == {"met_tonight"}


def test_a_third_meeting_is_counted() -> None:
    played = [Seating(number, ((1, 2, 3),), resting=(4,)) for number in (1, 2)]
    warnings = draw_warnings([Seating(3, ((1, 2, 4),), resting=(3,))], Wishes(sizes=(3,)), people(4), played)
    assert warnings == (DrawWarning("met_tonight", 3, 1, (1, 2), 3),)
