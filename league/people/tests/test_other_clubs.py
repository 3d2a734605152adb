"""What a club's admin may not do with a person whom another club shows, also as a former member."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.models import (
    Adjustment,
    Attendance,
    Club,
    Contest,
    Evening,
    Intention,
    Merge,
    Rest,
    Round,
    Season,
    Seat,
    Separation,
    Standing,
    Table,
    Team,
    TeamMember,
)
from league.models.rights import Role
from league.models.visible import PLAYER_REFERENCES
from players.models import Player, User
from tests.build import (
    NOW,
    PASSWORD,
    a_club,
    a_deal,
    a_member,
    a_player,
    a_season,
    a_table,
    a_tournament,
    a_unit,
    an_evening,
)
from tests.readers import give_password, signed_in

pytestmark = pytest.mark.django_db

# Fields that name a person and show nothing of a club that one of PLAYER_REFERENCES does not show, each with a reason.
NOT_SHOWN = {
    "league.AuditEntry.player": "the audit log, which no club's page changes",
    "league.AuditEntry.author": "the audit log, which no club's page changes",
    "league.Merge.kept": "merges belong to no club",
    "league.Merge.gone": "merges belong to no club",
    "league.RankChange.player": "computed from standings and ratings",
    "league.PlayerStatistics.player": "computed from seats",
    "league.SeasonRecord.player": "computed from seats",
}


def test_every_field_that_names_a_person_leads_to_its_club_or_has_a_reason() -> None:
    fields = {
        field.model._meta.label + f".{field.name}"
        for model in apps.get_app_config("league").get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Player and not hasattr(model, "pgh_tracked_model")
    }
    assert fields == NOT_SHOWN.keys() | {f"{model._meta.label}.{field}" for model, field, _club in PLAYER_REFERENCES}


def _team(season: Season, player: Player) -> None:
    TeamMember.objects.create(season=season, player=player, team=Team.objects.create(season=season, name="Reds"))


def _standing(season: Season, player: Player) -> None:
    Standing.objects.create(season=season, player=player, numerator=1, evenings=1, deals=1, arithmetic=1)


def _table(club: Club) -> Table:
    return a_table(an_evening(a_season(club)))


def _evening(club: Club) -> Evening:
    return an_evening(a_season(club))


TRACES: dict[str, Callable[[Club, Player], object]] = {
    "Membership.player": lambda club, person: club.memberships.create(player=person),
    "Separation.first": lambda club, person: Separation.objects.create(club=club, first=person, second=a_player()),
    "Separation.second": lambda club, person: Separation.objects.create(
        club=club, first=Player.objects.earliest("pk"), second=person
    ),
    "Intention.player": lambda club, person: Intention.objects.create(
        evening=_evening(club), player=person, comes=True
    ),
    "Attendance.player": lambda club, person: Attendance.objects.create(evening=_evening(club), player=person),
    "Attendance.partner": lambda club, person: Attendance.objects.create(
        evening=_evening(club), player=a_player(), partner=person
    ),
    "Seat.player": lambda club, person: Seat.objects.filter(table=_table(club), number=0).update(player=person),
    "Rest.player": lambda club, person: Rest.objects.create(
        round=Round.objects.create(evening=_evening(club), number=1), player=person
    ),
    "Contest.player": lambda club, person: Contest.objects.create(
        deal=a_deal(_table(club)), player=person, raised_at=NOW
    ),
    "Adjustment.player": lambda club, person: Adjustment.objects.create(
        season=a_season(club), player=person, points=5, reason="prize"
    ),
    "TeamMember.player": lambda club, person: _team(a_season(club), person),
    "UnitPlayer.player": lambda club, person: (
        a_unit(a_tournament(club)).players.filter(position=1).update(player=person)
    ),
    "Standing.player": lambda club, person: _standing(a_season(club), person),
}


@pytest.mark.parametrize("trace", [f"{model.__name__}.{field}" for model, field, _club in PLAYER_REFERENCES])
def test_a_person_whom_another_club_shows_is_renamed_and_merged_by_the_installations_admin_alone(
    client: Client, trace: str
) -> None:
    club, other_club, double = a_club(), a_club(), a_player()
    person = a_player("Chloé", "Martin")
    TRACES[trace](other_club, person)
    record = club.memberships.create(player=person, role=Role.GUEST)
    club.memberships.create(player=double)
    edit = reverse("league:member-edit", args=[club.slug, record.pk])
    merge = reverse("league:merge", args=[club.slug, record.pk], query={"with": double.pk})
    attendance = Attendance.objects.create(evening=_evening(club), player=person)
    correct = reverse("league:attendance-name", args=[attendance.pk])
    names = {"given_name": "Zoé", "family_name": "Autre"}

    def name() -> str:
        return Player.objects.get(pk=person.pk).given_name

    signed_in(client, a_member(club, Role.ADMIN))
    assert "Another club shows this person" in client.get(edit).content.decode()
    client.post(edit, names)
    client.post(correct, names)
    assert name() == "Chloé"
    assert client.post(merge, {"keep": double.pk}).status_code == 403
    assert client.get(merge).status_code == 403
    assert not Merge.objects.exists()

    root = Client()
    root.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
    give_password(root)
    root.post(edit, names)
    assert name() == "Zoé"
    root.post(merge, {"keep": double.pk})
    assert Merge.objects.get().kept == double
