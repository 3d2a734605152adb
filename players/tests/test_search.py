"""The search for people: accents, hyphens, apostrophes and spaces are ignored, the words stand in any order."""

import pytest
from django.db import connection

from players.models import Player
from players.names import LONGEST_SEARCH, MOST_WORDS, joined, search_words
from players.naming import Audience, names_shown_to
from tests.build import a_player
from tests.searched_names import EMPTY_SEARCHES, SEARCHED_NAMES, SearchedName

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", SEARCHED_NAMES, ids=lambda name: joined(name.family_name))
@pytest.mark.parametrize("readers", Audience)
def test_name_is_found_by_what_begins_its_parts_and_by_nothing_else(name: SearchedName, readers: Audience) -> None:
    player = a_player(name.given_name, name.family_name)
    with names_shown_to(readers):
        found = [typed for typed in (*name.found_by, *name.not_found_by) if player in Player.objects.search(typed)]
    assert found == [*name.found_by]


@pytest.mark.parametrize("typed", EMPTY_SEARCHES)
def test_search_without_a_letter_finds_nobody_and_an_empty_one_everybody(typed: str) -> None:
    a_player("Jean-Pierre", "O'Connor")
    assert not Player.objects.search(typed).exists()
    assert Player.objects.search(" ").exists()


@pytest.mark.parametrize("typed", ["*", "(?i)", "a.*b", "[", "\\", "a|b", "^", "$", "%", "***=a", "o*", "\\m", "{2}"])
def test_what_means_something_in_a_regular_expression_is_a_letter_like_any_other(typed: str) -> None:
    a_player("Anne", "Obrecht")
    assert not Player.objects.search(typed).exists()


@pytest.mark.parametrize("typed", ["x" * 100_000, "a " * 50_000, "\ufdfa" * 10_000, " ".join(map(str, range(9_000)))])
def test_search_however_long_is_few_short_conditions(typed: str) -> None:
    assert len(search_words(typed)) <= MOST_WORDS
    assert all(len(word) <= LONGEST_SEARCH for word in search_words(typed))
    with connection.cursor() as cursor:
        sql, parameters = Player.objects.search(typed).order_by().query.sql_with_params()
        cursor.execute(sql, parameters)
    assert sum(map(len, parameters)) < 45_000


def test_typographic_signs_of_a_whole_name_do_not_make_another_person() -> None:
    player = a_player("Sean", "O'Connor")
    for typed in ("Sean O’Connor", "sean oconnor", "OConnor Sean"):
        assert list(Player.objects.all().similar_to(typed)) == [player]
