"""What is told of rounds that a secretary changed by hand."""

from league.draw.draw_warnings import draw_warnings
from league.draw.terms import DrawWarning, Person, Sitting, Wishes
from league.draw.tests.test_draw import people


def test_what_a_secretary_changed_is_judged() -> None:
    wishes = Wishes(sizes=(4,), apart=frozenset({(1, 8)}))
    there = [*people(8), Person(9), Person(10, from_round=2)]
    played = [Sitting(1, ((1, 2, 3, 4), (5, 6, 7, 8)), resting=(9,))]
    made = Sitting(2, ((1, 5, 2, 8), (3, 6, 9)), resting=(7,))
    assert set(draw_warnings([made], wishes, there, played)) == {
        DrawWarning("met_tonight", 2, 1, (1, 2), 2),
        DrawWarning("met_tonight", 2, 1, (5, 8), 2),
        DrawWarning("apart", 2, 1, (1, 8)),
        DrawWarning("size", 2, 2, (3, 6, 9)),
        DrawWarning("unseated", 2, None, (4,)),
        DrawWarning("unseated", 2, None, (10,)),
    }


def test_what_a_secretary_changed_in_pairs_is_judged() -> None:
    there = [Person(1, partner=2), *people(8)[1:]]
    wishes = Wishes(sizes=(4,), pairs=True)
    played = [Sitting(1, ((1, 3, 2, 4), (5, 7, 6, 8)))]
    made = Sitting(2, ((1, 2, 5, 6), (3, 7, 4, 8)))
    assert set(draw_warnings([made], wishes, there, played)) == {
        DrawWarning("partners_apart", 2, 1, (1, 2)),
        DrawWarning("met_tonight", 2, 1, (5, 6), 2),
        DrawWarning("partners_again", 2, 2, (3, 4), 2),
        DrawWarning("partners_again", 2, 2, (7, 8), 2),
    }


def test_a_third_time_is_told() -> None:
    played = [Sitting(number, ((1, 2, 3),), resting=(4,)) for number in (1, 2)]
    found = draw_warnings([Sitting(3, ((1, 2, 4),), resting=(3,))], Wishes(sizes=(3,)), people(4), played)
    assert found == (DrawWarning("met_tonight", 3, 1, (1, 2), 3),)
