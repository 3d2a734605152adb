"""How people are named, whoever reads."""

import pytest

from players.models import Player
from players.naming import Audience, Naming, least_revealing, names_shown_to, show_member_names_of, show_names_to
from tests.build import a_player


def a_person(given: str, family: str = "", **fields: str) -> Player:
    player = Player(given_name=given, family_name=family, **fields)
    player.update_names()
    return player


@pytest.mark.parametrize(
    ("given", "family", "shown", "key"),
    [
        ("Anne", "Durand", "Anne D.", "d. anne"),
        ("Anne", "", "Anne", "anne"),
        ("Élodie", "Œuvrard", "Élodie Œ.", "oe. elodie"),
        ("Anne-Lise", "de La Tour", "Anne-Lise D.", "d. anne-lise"),
        ("Anne", "'t Hooft", "Anne T.", "t. anne"),
        ("Anne Durand", "", "Anne D.", "d. anne"),  # a whole name typed as a given one
        ("anne.durand", "", "anne D.", "d. anne"),  # an e-mail address's first part, where nobody said a name
        ("Anne", "?", "Anne", "anne"),
    ],
)
def test_first_name_and_initial(given: str, family: str, shown: str, key: str) -> None:
    person = a_person(given, family, public_choice="initial")
    assert (person.names.public, person.sort_key) == (shown, key)
    assert person.names.members == person.display_name


def test_who_reads_decides_and_nobody_said_means_everyone() -> None:
    person = a_person("Anne", "Durand", public_choice="pseudonym", member_choice="initial", pseudonym="Reine  mère")
    assert str(person) == str(person.names) == f"{person}" == "Reine mère"
    with names_shown_to(Audience.MEMBERS):
        assert str(person) == "Anne D."
        show_names_to(Audience.PUBLIC)
        assert str(person) == "Anne D.", "what is shown already stays"
        show_names_to(Audience.WORK)
        assert str(person) == "Anne Durand (Reine mère)"
        with names_shown_to(Audience.PUBLIC):
            assert str(person) == "Reine mère"
        assert str(person) == "Anne Durand (Reine mère)"
    assert str(person) == "Reine mère"


def test_people_who_are_known_are_named_as_to_members() -> None:
    anne, zoe = (a_person(name, "Durand", public_choice="initial") for name in ("Anne", "Zoé"))
    anne.pk, zoe.pk = 1, 2
    with names_shown_to(Audience.PUBLIC):
        show_member_names_of([1])
        assert (str(anne), str(zoe)) == ("Anne Durand", "Zoé D.")
        assert str(anne.names) == "Anne D.", "nobody knows whose they are"
        assert str(anne.names.for_player(1)) == "Anne Durand"
    assert str(anne) == "Anne D."


def test_everyone_never_reads_more_than_members() -> None:
    assert a_person("Anne", "Durand", public_choice="full", member_choice="initial").names.public == "Anne D."
    assert a_person("Anne", "Durand", member_choice="initial").names.public == "Anne D."
    assert least_revealing([]) == Naming.FULL


def test_own_choice_goes_before_what_clubs_say() -> None:
    person = a_person("Anne", "Durand", public_default="initial", member_default="initial", member_choice="full")
    assert (person.names.public, person.names.members) == ("Anne D.", "Anne Durand")


@pytest.mark.django_db
def test_nobody_is_found_by_a_name_that_is_hidden() -> None:
    player = a_player("Anne", "Durand", public_choice="pseudonym", member_choice="initial", pseudonym="Reine mère")
    a_player("Bea", "Durand")

    def found(typed: str) -> bool:
        return Player.objects.search(typed).filter(pk=player.pk).exists()

    assert [found(typed) for typed in ("reine", "mere", "anne", "durand", "d")] == [True, True, False, False, False]
    with names_shown_to(Audience.MEMBERS):
        assert [found(typed) for typed in ("reine", "anne d.", "durand")] == [False, True, False]
    with names_shown_to(Audience.WORK):
        assert [found(typed) for typed in ("reine", "anne", "durand", "durand rei")] == [True, True, True, True]
    known = Player.objects.filter(pk=player.pk)
    by_whom = [Player.objects.search(typed, known=known).exists() for typed in ("reine", "anne d", "anne durand")]
    assert by_whom == [True, True, False]


@pytest.mark.django_db
def test_names_are_read_from_every_query_alike() -> None:
    player = a_player("Anne", "Durand", public_choice="initial")
    assert Player.objects.values_list("names", flat=True).get(pk=player.pk) == player.names
    player.refresh_from_db()
    assert str(player) == "Anne D."
