"""Warnings of a draw in words."""

from league.draw.draw_types import Person, Seating, Wishes
from league.draw.draw_warnings import draw_warnings
from league.evenings.queries.draw_warnings import warning_sentences


def test_drawn_partners_who_are_parted_did_not_come_as_a_pair() -> None:
    wishes = Wishes(sizes=(4,), has_pairs=True, keep_partners=True)
    there = [Person(1, partner=3), *(Person(number) for number in (2, 3, 4))]
    played = [Seating(1, ((1, 2, 3, 4),))]
    made = Seating(2, ((1, 3, 2, 4),))
    found = {warning.code: warning for warning in draw_warnings([made], wishes, there, played)}
    assert found["partners_apart"].players == (1, 3)
    assert found["drawn_apart"].players == (2, 4)
    words = warning_sentences(found.values(), {1: "Ann", 2: "Bob", 3: "Cy", 4: "Dan"})[2]
    assert "Ann and Cy came as a pair and are not partners." in words
    assert "Bob and Dan were drawn as partners for the evening and are not partners here." in words
