"""The choice of a name, and the rules of clubs for people without a choice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from league.actions import clubs, people, player_names, roles
from league.actions.erasure import erase
from league.actions.merging import merge, undo
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.models import Club
from league.models.rights import Role
from league.operations.work.verification import verify
from players.models import Player
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db


def shown_names(player: Player) -> tuple[str, str]:
    player.refresh_from_db()
    return player.names.public, player.names.members


def a_discreet_club(**fields: Any) -> Club:
    """Return a club that shows first names and initials to everyone, unless `fields` differ."""
    return a_club(**{"public_names": "initial", "member_names": "initial", **fields})


def anne(club: Club, role: Role = Role.MEMBER) -> Player:
    return people.add_person(club, "Anne", "Durand", role)


def test_choice_is_kept_and_chosen_twice_is_the_same() -> None:
    player = anne(a_club())
    for _ in range(2):
        player_names.choose_naming(player.pk, public="pseudonym", members="initial", pseudonym=" Reine  mère ")
        assert shown_names(player) == ("Reine mère", "Anne D.")
        assert (player.sort_key, player.member_key, player.committee_key) == (
            "reine mere",
            "d. anne",
            "durand anne anne durand reine mere",
        )
    player_names.choose_naming(player.pk, public="", members="", pseudonym="")
    assert shown_names(player) == ("Anne Durand", "Anne Durand")
    assert list(verify()) == []


def test_pseudonym_is_asked_for_where_it_was_chosen() -> None:
    player = anne(a_club())
    with pytest.raises(player_names.InvalidNameChoice) as refused:
        player_names.choose_naming(player.pk, public="pseudonym", members="", pseudonym=" \u202e ")
    assert refused.value.field == "pseudonym"
    assert shown_names(player) == ("Anne Durand", "Anne Durand")


def test_nobody_takes_the_name_of_somebody_of_his_clubs() -> None:
    club = a_club()
    player = anne(club)
    people.add_person(club, "Zoé", "Martin", Role.MEMBER)
    member = people.add_person(club, "Yves", "Roy", Role.MEMBER)
    player_names.choose_naming(member.pk, public="pseudonym", members="full", pseudonym="Vieux loup")
    people.add_person(a_club(), "Jean", "Petit", Role.MEMBER)
    for name in ("zoe martin", "Vieux Loup", "YVES ROY"):
        with pytest.raises(player_names.InvalidNameChoice):
            player_names.choose_naming(player.pk, public="pseudonym", members="", pseudonym=name)
    player_names.choose_naming(player.pk, public="pseudonym", members="", pseudonym="Jean Petit")  # of another club
    player_names.choose_naming(player.pk, public="pseudonym", members="", pseudonym="Anne Durand")  # their own


def test_club_says_how_those_are_named_who_chose_nothing() -> None:
    club = a_club()
    player, chose = anne(club), people.add_person(club, "Zoé", "Martin", Role.MEMBER)
    player_names.choose_naming(chose.pk, public="full", members="full", pseudonym="")
    club.public_names = "initial"
    clubs.change(club, ["public_names"])
    assert (shown_names(player), shown_names(chose)) == (("Anne D.", "Anne Durand"), ("Zoé Martin", "Zoé Martin"))
    club.public_names = "full"
    clubs.change(club, ["public_names"])
    assert shown_names(player) == ("Anne Durand", "Anne Durand")
    assert list(verify()) == []


def test_of_two_clubs_the_one_counts_that_tells_least() -> None:
    player = anne(a_club())
    club = a_discreet_club(member_names="full")
    club.memberships.create(player=player)
    player_names.apply_club_name_defaults([player.pk])
    assert shown_names(player) == ("Anne D.", "Anne Durand")


@pytest.mark.parametrize("role", [Role.MEMBER, Role.ADMIN])
def test_every_way_into_a_club_names_as_the_club_says(role: Role) -> None:
    club = a_discreet_club()
    assert shown_names(anne(club, role)) == ("Anne D.", "Anne D.")
    founder = a_player("Zoé", "Martin")
    a_club(founder=founder, public_names="initial")
    assert shown_names(founder) == ("Zoé M.", "Zoé Martin")
    joining = a_member(a_club())
    assert joining.user
    people.join_club(club, joining.user)
    assert shown_names(joining) == (f"{joining.given_name} M.",) * 2


def test_guest_is_named_to_everyone_by_initial_until_he_is_a_member() -> None:
    club = a_club()
    evening = an_evening(a_season(club))
    guest = people.check_in_guest(evening, "Anne Durand")
    assert str(guest) == "Anne D."
    assert shown_names(guest) == ("Anne D.", "Anne Durand")
    roles.change_role(guest.memberships.get().pk, Role.MEMBER)
    assert shown_names(guest) == ("Anne Durand", "Anne Durand")


def test_member_of_one_club_who_is_another_ones_guest_is_no_guest() -> None:
    player = anne(a_club())
    a_club().memberships.create(player=player, role=Role.GUEST)
    player_names.apply_club_name_defaults([player.pk])
    assert shown_names(player) == ("Anne Durand", "Anne Durand")


def test_ending_a_membership_keeps_the_name() -> None:
    club = a_discreet_club()
    player = anne(club)
    deal = a_deal(a_table(an_evening(a_season(club)), [player, *(a_player() for _ in range(3))]))
    roles.end_membership(player.memberships.get(club=club).pk)
    player_names.apply_club_name_defaults([player.pk])
    assert shown_names(player) == ("Anne D.", "Anne D.")
    assert sum(deal.scores.values_list("points", flat=True)) == 0
    assert list(verify()) == []


def test_who_leaves_a_club_is_named_as_the_remaining_clubs_say_if_they_reveal_less() -> None:
    """Catches a full name of a person who is only a guest since, and of one who left a club that hides it."""
    strict, lax = a_discreet_club(), a_club()
    guest, member = anne(lax), anne(strict)
    a_club().memberships.create(player=guest, role=Role.GUEST)
    lax.memberships.create(player=member)
    for player, left in ((guest, lax), (member, strict)):
        player_names.apply_club_name_defaults([player.pk])
        roles.end_membership(player.memberships.get(club=left).pk)
    assert (shown_names(guest), shown_names(member)) == (("Anne D.", "Anne Durand"), ("Anne D.", "Anne D."))


def test_erasing_takes_choice_and_pseudonym_away() -> None:
    club = a_club()
    player = anne(club)
    player_names.choose_naming(player.pk, public="pseudonym", members="pseudonym", pseudonym="Reine mère")
    erase(player.pk)
    assert shown_names(player) == (f"N. N. {player.pk}",) * 2
    assert (player.pseudonym, player.public_choice, player.member_choice) == ("", "", "")
    assert "reine" not in player.committee_key
    assert list(verify()) == []


def test_joined_records_follow_the_clubs_of_both_and_taken_apart_their_own() -> None:
    club = a_discreet_club()
    kept_player, merged_player = anne(a_club()), anne(club)
    merged = merge(kept_player.pk, merged_player.pk, by=None, now=NOW)
    assert shown_names(kept_player) == ("Anne D.", "Anne D.")
    undo(merged.pk, now=NOW)
    assert (shown_names(kept_player), shown_names(merged_player)) == (
        ("Anne Durand", "Anne Durand"),
        ("Anne D.", "Anne D."),
    )


@pytest.mark.django_db(transaction=True)
def test_club_and_person_choose_at_the_same_time() -> None:
    club = a_club()
    player = anne(club)

    def change_club() -> None:
        club_row = Club.objects.get(pk=club.pk)
        club_row.public_names = "initial"
        clubs.change(club_row, ["public_names"])
        connection.close()

    def choose_name() -> None:
        player_names.choose_naming(player.pk, public="", members="initial", pseudonym="")
        connection.close()

    with ThreadPoolExecutor(2) as both:
        for future in [both.submit(change_club), both.submit(choose_name)]:
            future.result()
    assert shown_names(player) == ("Anne D.", "Anne D.")
    assert (player.public_default, player.member_choice) == ("initial", "initial")
    assert list(verify()) == []


@pytest.mark.django_db(transaction=True)
def test_of_two_members_who_choose_one_pseudonym_at_once_one_gets_it() -> None:
    """The second had read the names before the first was stored, and both were known by the same name."""
    club = a_club()
    first, second = a_member(club), a_member(club)
    with transaction.atomic():
        player_names.choose_naming(first.pk, public="pseudonym", members="", pseudonym="Vieux loup")
        choice = meanwhile(
            lambda: player_names.choose_naming(second.pk, public="pseudonym", members="", pseudonym="vieux LOUP")
        )
        assert not choice.done()
    with pytest.raises(player_names.InvalidNameChoice):
        choice.result()
    assert shown_names(second)[0] != "vieux LOUP"
