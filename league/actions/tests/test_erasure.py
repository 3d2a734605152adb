"""A person who asks to be forgotten."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db.models import CharField, JSONField, TextField
from django.db.models.functions import Cast

from league.actions import evenings, separations
from league.actions.merging import merge
from league.actions.result_import import remember_columns
from league.models import Attendance, Club, ListColumns, Run, Seat, Separation, Standing
from league.models.rights import Role
from league.operations.work.verification import verify
from league.recompute.work import runs
from players.models import Player, Rating, User
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, a_user, an_evening

NAME = "Zébulonette"


def mentions(text: str) -> list[str]:
    """Return every column of the database that contains a text, history included."""
    return [
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        if model._meta.managed and not model._meta.proxy
        for field in model._meta.concrete_fields
        if isinstance(field, (CharField, TextField, JSONField))
        and model._default_manager.annotate(said=Cast(field.name, TextField())).filter(said__icontains=text).exists()
    ]


@pytest.fixture
def person(db: None) -> Player:
    """Someone with a login, results in two clubs' seasons, a wish and a fee."""
    user = a_user(f"{NAME.lower()}@club.example")
    person: Player = user.player
    person.given_name, person.family_name, person.display_name = NAME, "Dubois", ""
    person.update_names()
    person.save()
    for club in (a_club(), a_club(fee_member=300)):
        season = a_season(club)
        table = a_table(an_evening(season), [person, *(a_player() for _ in range(3))])
        for _deal in range(4):
            a_deal(table, TAKE)
        Attendance.objects.filter(player=person).update(paid=300)
        evenings.close(table.round.evening_id, now=NOW)
        separations.add_separation(club, person.pk, a_member(club, login=False).pk)
        remember_columns(club, "deals tarot", {f"DUBOIS {NAME}": "headed", NAME: "", "Donne": "deal"})
    runs.run(Run.Trigger.NIGHT, now=NOW)
    return person


def numbers() -> list[object]:
    """Return all sums that people see."""
    return [
        *Standing.objects.order_by("pk").values_list("player", "rank", "numerator"),
        *Rating.objects.order_by("pk").values_list("player", "micro"),
        *Seat.objects.order_by("pk").values_list("player", "points"),
        *Attendance.objects.order_by("pk").values_list("player", "paid"),
    ]


def test_the_name_is_nowhere_and_every_sum_holds(person: Player) -> None:
    assert {"Player.given_name", "User.email"} <= set(mentions(NAME))
    before = numbers()
    call_command("erase", person.pk, f"{NAME} Dubois", verbosity=0)

    assert mentions(NAME) == []
    assert numbers() == before
    assert list(verify()) == []
    assert not User.objects.filter(player=person).exists()
    assert not Club.objects.filter(memberships__player=person).exists()
    assert not Separation.objects.exists()
    assert [list_columns.columns for list_columns in ListColumns.objects.all()] == [{"Donne": "deal"}] * 2
    assert str(Player.objects.get(pk=person.pk)) == f"N. N. {person.pk}"


def test_other_records_of_the_person_go_with_it(person: Player) -> None:
    duplicate = a_player(NAME, "Dupont")
    merge(person.pk, duplicate.pk, by=None, now=NOW)
    call_command("erase", person.pk, f"{NAME} Dubois", verbosity=0)
    assert mentions(NAME) == []


def test_nobody_is_erased_by_a_slip_of_the_pen(person: Player) -> None:
    with pytest.raises(CommandError, match="is called"):
        call_command("erase", person.pk, "Someone else")
    with pytest.raises(CommandError, match="No player"):
        call_command("erase", 10**9, NAME)
    assert Player.objects.filter(given_name=NAME).exists()


def test_who_plays_tonight_stays_until_the_evening_is_closed(person: Player) -> None:
    evening = an_evening(a_season(a_club()))
    a_table(evening, [person, *(a_player() for _ in range(3))])
    with pytest.raises(CommandError, match="is checked in to"):
        call_command("erase", person.pk, f"{NAME} Dubois")
    assert Player.objects.filter(given_name=NAME).exists()
    evenings.close(evening.pk, now=NOW)
    call_command("erase", person.pk, f"{NAME} Dubois", verbosity=0)
    assert mentions(NAME) == []


def test_a_club_keeps_an_admin(person: Player) -> None:
    club = a_club()
    club.memberships.all().delete()
    club.memberships.create(player=person, role=Role.ADMIN)
    with pytest.raises(CommandError, match="the only admin of"):
        call_command("erase", person.pk, f"{NAME} Dubois")
    a_member(club, Role.ADMIN)
    call_command("erase", person.pk, f"{NAME} Dubois", verbosity=0)
    assert mentions(NAME) == []
