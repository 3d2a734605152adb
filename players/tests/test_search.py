"""PlayerQuerySet.search ignores accents, hyphens, apostrophes, spaces and the order of words."""

import pytest
from django.db import connection

from players.models import Player
from players.names import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS, letters_and_digits, search_words
from players.naming import Audience, names_shown_to
from tests.build import a_player
from tests.searched_names import EMPTY_SEARCHES, SEARCHED_NAMES, SearchedName

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", SEARCHED_NAMES, ids=lambda name: letters_and_digits(name.family_name))
@pytest.mark.parametrize("audience", Audience)
def test_search_matches_only_beginnings_of_name_parts(name: SearchedName, audience: Audience) -> None:
    player = a_player(name.given_name, name.family_name)
    with names_shown_to(audience):
        matches = [query for query in (*name.found_by, *name.not_found_by) if player in Player.objects.search(query)]
    assert matches == [*name.found_by]


@pytest.mark.parametrize("query", EMPTY_SEARCHES)
def test_query_without_letters_finds_nobody_and_empty_query_everybody(query: str) -> None:
    a_player("Jean-Pierre", "O'Connor")
    assert not Player.objects.search(query).exists()
    assert Player.objects.search(" ").exists()


@pytest.mark.parametrize("query", ["*", "(?i)", "a.*b", "[", "\\", "a|b", "^", "$", "%", "***=a", "o*", "\\m", "{2}"])
def test_regular_expressions_are_not_interpreted(query: str) -> None:
    a_player("Anne", "Obrecht")
    assert not Player.objects.search(query).exists()


@pytest.mark.parametrize("query", ["x" * 100_000, "a " * 50_000, "\ufdfa" * 10_000, " ".join(map(str, range(9_000)))])
def test_long_query_becomes_few_short_conditions(query: str) -> None:
    assert len(search_words(query)) <= MAX_SEARCH_WORDS
    assert all(len(word) <= MAX_SEARCH_LENGTH for word in search_words(query))
    with connection.cursor() as cursor:
        sql, parameters = Player.objects.search(query).order_by().query.sql_with_params()
        cursor.execute(sql, parameters)
    assert sum(map(len, parameters)) < 45_000


def test_similar_names_ignore_typographic_signs() -> None:
    player = a_player("Sean", "O'Connor")
    for query in ("Sean O’Connor", "sean oconnor", "OConnor Sean"):
        assert list(Player.objects.all().similar_to(query)) == [player]
