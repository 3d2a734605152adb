"""The names of players for each audience."""

from collections.abc import Callable

import pytest

from players.models import Player
from players.naming import (
    Audience,
    AudienceSetTooLate,
    NameStyle,
    current_audience,
    least_revealing_style,
    name_sort_field,
    names_shown_to,
    show_member_names_of,
    show_names_to,
)
from tests.build import a_player


def a_person(given_name: str, family: str = "", **fields: str) -> Player:
    player = Player(given_name=given_name, family_name=family, **fields)
    player.update_names()
    return player


@pytest.mark.parametrize(
    ("given_name", "family", "public_name", "key"),
    [
        ("Anne", "Durand", "Anne D.", "d. anne"),
        ("Anne", "", "Anne", "anne"),
        ("Élodie", "Œuvrard", "Élodie Œ.", "oe. elodie"),
        ("Anne-Lise", "de La Tour", "Anne-Lise D.", "d. anne-lise"),
        ("Anne", "'t Hooft", "Anne T.", "t. anne"),
        ("Anne Durand", "", "Anne D.", "d. anne"),  # the whole name entered as given name
        ("anne.durand", "", "anne D.", "d. anne"),  # the local part of an e-mail address as name
        ("Anne", "?", "Anne", "anne"),
    ],
)
def test_first_name_and_initial(given_name: str, family: str, public_name: str, key: str) -> None:
    person = a_person(given_name, family, public_choice="initial")
    assert (person.names.public, person.sort_key) == (public_name, key)
    assert person.names.members == person.display_name


def test_the_name_depends_on_the_audience_which_is_the_public_by_default() -> None:
    person = a_person("Anne", "Durand", public_choice="pseudonym", member_choice="initial", pseudonym="Reine  mère")
    assert str(person) == str(person.names) == f"{person}" == "Reine mère"
    with names_shown_to(Audience.MEMBERS):
        show_names_to(Audience.PUBLIC)
        assert str(person) == "Anne D.", "a narrower audience changes nothing"
    with names_shown_to(Audience.MEMBERS):
        show_names_to(Audience.COMMITTEE)
        assert str(person) == "Anne Durand (Reine mère)"
        with names_shown_to(Audience.PUBLIC):
            assert str(person) == "Reine mère"
        assert str(person) == "Anne Durand (Reine mère)"
    assert str(person) == "Reine mère"


@pytest.mark.parametrize("read", [str, lambda _person: name_sort_field(), lambda _person: current_audience()])
def test_the_audience_is_set_before_the_first_name_is_read(read: Callable[[Player], object]) -> None:
    person = a_person("Anne", "Durand", public_choice="initial")
    person.pk = 1
    with names_shown_to(Audience.MEMBERS):
        read(person)
        show_names_to(Audience.PUBLIC)
        with pytest.warns(AudienceSetTooLate):
            show_names_to(Audience.COMMITTEE)
        with pytest.warns(AudienceSetTooLate):
            show_member_names_of([1])


def test_member_names_of_some_players_on_a_page_without_a_club() -> None:
    anne, zoe = (a_person(name, "Durand", public_choice="initial") for name in ("Anne", "Zoé"))
    anne.pk, zoe.pk = 1, 2
    with names_shown_to(Audience.PUBLIC):
        show_member_names_of([1])
        assert (str(anne), str(zoe)) == ("Anne Durand", "Zoé D.")
        assert str(anne.names) == "Anne D.", "names without a player id"
        assert str(anne.names.with_player(1)) == "Anne Durand"
    assert str(anne) == "Anne D."


def test_the_public_name_reveals_no_more_than_the_name_for_members() -> None:
    assert a_person("Anne", "Durand", public_choice="full", member_choice="initial").names.public == "Anne D."
    assert a_person("Anne", "Durand", member_choice="initial").names.public == "Anne D."
    assert least_revealing_style([]) == NameStyle.FULL


def test_the_players_choice_overrides_the_default_of_clubs() -> None:
    person = a_person("Anne", "Durand", public_default="initial", member_default="initial", member_choice="full")
    assert (person.names.public, person.names.members) == ("Anne D.", "Anne Durand")


@pytest.mark.django_db
def test_search_ignores_hidden_names() -> None:
    player = a_player("Anne", "Durand", public_choice="pseudonym", member_choice="initial", pseudonym="Reine mère")
    a_player("Bea", "Durand")

    def is_found(query: str) -> bool:
        return Player.objects.search(query).filter(pk=player.pk).exists()

    assert [is_found(query) for query in ("reine", "mere", "anne", "durand", "d")] == [True, True, False, False, False]
    with names_shown_to(Audience.MEMBERS):
        assert [is_found(query) for query in ("reine", "anne d.", "durand")] == [False, True, False]
    with names_shown_to(Audience.COMMITTEE):
        assert [is_found(query) for query in ("reine", "anne", "durand", "durand rei")] == [True, True, True, True]
    known_players = Player.objects.filter(pk=player.pk)
    results = [
        Player.objects.search(query, known_players=known_players).exists()
        for query in ("reine", "anne d", "anne durand")
    ]
    assert results == [True, True, False]


@pytest.mark.django_db
def test_values_list_and_instances_return_the_same_names() -> None:
    player = a_player("Anne", "Durand", public_choice="initial")
    assert Player.objects.values_list("names", flat=True).get(pk=player.pk) == player.names
    player.refresh_from_db()
    assert str(player) == "Anne D."
