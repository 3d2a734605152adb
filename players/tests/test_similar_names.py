"""PlayerQuerySet.similar_to finds names that may belong to the same person."""

import pytest

from players.accounts import add_player
from players.models import Player

pytestmark = pytest.mark.django_db


def a_player_called(name: str, display_name: str = "") -> Player:
    given_name, _, family_name = name.rpartition(" ")
    player: Player = add_player(given_name, family_name, display_name=display_name)
    return player


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Léa Martin", "Léa Martin"),
        ("lea martin", "Léa Martin"),
        ("martin léa", "Lea Martin"),  # another order of words
        ("Jean Pierre Roy", "Jean-Pierre Roy"),
        ("Chloé Martin", "Cloé Martin"),  # a missing letter
        ("Mathieu Durand", "Matthieu Durand"),  # an additional letter
        ("Sophie Bernard", "Sofie Bernard"),
        ("Иван Петров", "Петров Иван"),
        ("Rachel Blnac", "Rachel Blanc"),  # two letters swapped
    ],
)
def test_similar_name_is_found(query: str, name: str) -> None:
    player = a_player_called(name)
    a_player_called("Zoé Petit")
    assert list(Player.objects.all().similar_to(query)) == [player]


@pytest.mark.parametrize(
    ("query", "name"),
    [("Léa Martin", "Léo Marchand"), ("Anne Roy", "Anna Ray"), ("Paul", "Pauline Martin"), ("Léa", "Léa Martin")],
)
def test_different_name_is_not_found(query: str, name: str) -> None:
    a_player_called(name)
    assert not Player.objects.all().similar_to(query)


@pytest.mark.parametrize("query", ["Captain Haddock", "captain hadock", "Archibald Haddoque"])
def test_player_is_found_by_full_name_and_by_display_name(query: str) -> None:
    player = a_player_called("Archibald Haddoque", display_name="Captain Haddock")
    assert list(Player.objects.all().similar_to(query)) == [player]


def test_most_similar_name_comes_first() -> None:
    further, same = a_player_called("Cloé Martin"), a_player_called("Chloé Martin")
    assert list(Player.objects.all().similar_to("Chloe Martin")) == [same, further]
