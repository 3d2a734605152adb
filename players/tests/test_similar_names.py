"""Names that may be one person's."""

import pytest

from players.accounts import add_player
from players.models import Player

pytestmark = pytest.mark.django_db


def known(name: str, known_as: str = "") -> Player:
    """Return a player of that name."""
    given, _, family = name.rpartition(" ")
    player: Player = add_player(given, family, display_name=known_as)
    return player


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Léa Martin", "Léa Martin"),
        ("lea martin", "Léa Martin"),
        ("martin léa", "Lea Martin"),  # the order of the words says nothing
        ("Jean Pierre Roy", "Jean-Pierre Roy"),
        ("Chloé Martin", "Cloé Martin"),  # a letter less
        ("Mathieu Durand", "Matthieu Durand"),  # a letter more
        ("Sophie Bernard", "Sofie Bernard"),
        ("Иван Петров", "Петров Иван"),
        ("Rachel Blnac", "Rachel Blanc"),  # two letters swapped
    ],
)
def test_one_person_is_found(typed: str, name: str) -> None:
    player = known(name)
    known("Zoé Petit")
    assert list(Player.objects.all().similar_to(typed)) == [player]


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Léa Martin", "Léo Marchand"), ("Anne Roy", "Anna Ray"), ("Paul", "Pauline Martin"), ("Léa", "Léa Martin")],
)
def test_another_person_is_not(typed: str, name: str) -> None:
    known(name)
    assert not Player.objects.all().similar_to(typed)


@pytest.mark.parametrize("typed", ["Captain Haddock", "captain hadock", "Archibald Haddoque"])
def test_who_is_known_by_another_name_is_found_by_either(typed: str) -> None:
    player = known("Archibald Haddoque", known_as="Captain Haddock")
    assert list(Player.objects.all().similar_to(typed)) == [player]


def test_closest_comes_first() -> None:
    further, same = known("Cloé Martin"), known("Chloé Martin")
    assert list(Player.objects.all().similar_to("Chloe Martin")) == [same, further]
