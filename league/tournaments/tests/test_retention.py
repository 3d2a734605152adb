"""Personal data of registrations end: after the promised days, with an account, for an erased person."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from league.actions import registrations
from league.actions.account_deletion import delete_account
from league.actions.erasure import erase
from league.actions.refusals import WrongState
from league.actions.registration_retention import delete_registration_data_if_due
from league.actions.registrations import PlayerEntry, Registration
from league.models import Job, Tournament
from league.models.rights import Role
from league.models.tournament import ERASED_NAME
from league.people.queries.own_data import own_data
from league.tournaments.work import kinds
from players.models import Player
from tests.build import (
    a_club,
    a_member,
    a_running_tournament,
    a_season,
    a_tournament,
    a_unit,
    a_user,
    an_evening,
)
from tests.readers import user_of

pytestmark = pytest.mark.django_db


def aged(tournament: Tournament, days: int) -> None:
    """Move the tournament to so many days ago."""
    day = timezone.now().date() - timedelta(days=days)
    Tournament.objects.filter(pk=tournament.pk).update(date=day, retention_days=60)


@pytest.mark.parametrize(("days", "is_due"), [(59, False), (60, True), (61, True)])
def test_after_60_days_names_of_strangers_and_all_contacts_are_deleted(days: int, is_due: bool) -> None:
    club = a_club()
    tournament = a_tournament(club)
    member = a_member(club, login=False)
    entries = [
        PlayerEntry("Anne Petit", "anne@example.org", "0612"),
        PlayerEntry("Marc", "marc@example.org", "", member.pk),
    ]
    unit = registrations.register_at_desk(tournament.pk, Registration(entries, name="Petit & Marc"), now=timezone.now())
    aged(tournament, days)
    now = timezone.now()
    assert delete_registration_data_if_due(tournament.pk, now=now) is is_due
    assert delete_registration_data_if_due(tournament.pk, now=now) is False
    unit.refresh_from_db()
    rows = list(unit.players.order_by("position").values_list("name", "email", "phone"))
    if is_due:
        assert (unit.name, rows) == ("", [(ERASED_NAME, "", ""), ("Marc", "", "")])
    else:
        assert (unit.name, rows[0]) == ("Petit & Marc", ("Anne Petit", "anne@example.org", "0612"))


def test_the_clock_finds_what_is_due_and_a_final_list_refuses_changes() -> None:
    tournament = a_tournament(a_club())
    unit = a_unit(tournament)
    aged(tournament, 60)
    kinds.schedule(timezone.now())
    job = Job.objects.get(kind=kinds.RETENTION_JOB_KIND)
    kinds.delete_personal_data(job, timezone.now)
    assert set(unit.players.values_list("name", flat=True)) == {ERASED_NAME}
    with pytest.raises(WrongState):
        registrations.register_at_desk(tournament.pk, Registration([PlayerEntry("Late")]), now=timezone.now())
    assert not Tournament.objects.due_for_erasure(timezone.now().date()).exists()


def test_the_download_of_own_data_has_the_registrations() -> None:
    club = a_club()
    player = a_member(club)
    tournament = a_tournament(club)
    registrations.register_at_desk(
        tournament.pk, Registration([PlayerEntry("I myself", "", "", player.pk)]), now=timezone.now()
    )
    a_unit(tournament, "Somebody else")
    data = json.loads("".join(own_data(user_of(player))))
    assert [row["name"] for row in data["registrations"]] == ["I myself"]


def test_a_deleted_account_leaves_no_address() -> None:
    club = a_club()
    player = a_member(club)
    user = user_of(player)
    unit = registrations.register_at_desk(
        a_tournament(club).pk, Registration([PlayerEntry("I", user.email, "0612", player.pk)]), now=timezone.now()
    )
    delete_account(user.pk)
    assert list(unit.players.values_list("name", "email", "phone")) == [("I", "", "")]


def test_an_erased_person_leaves_no_name() -> None:
    club = a_club()
    player = a_member(club, login=False)
    entry = PlayerEntry("Anne Petit", "anne@example.org", "", player.pk)
    unit = registrations.register_at_desk(
        a_tournament(club).pk, Registration([entry], name="Petits"), now=timezone.now()
    )
    erase(player.pk, by=a_user())
    unit.refresh_from_db()
    assert unit.name == ""
    assert list(unit.players.values_list("name", "email")) == [(ERASED_NAME, "")]


def test_guests_of_a_tournament_are_erased_unless_the_club_knows_them_otherwise() -> None:
    tournament = a_running_tournament(a_club(), units=2)
    aged(tournament, 60)
    first, second, *others = Player.objects.filter(tournament_entries__unit__tournament=tournament).order_by("pk")
    tournament.club.memberships.filter(player=first).update(role=Role.MEMBER)
    an_evening(a_season(tournament.club)).attendances.create(player=second, standing="guest")
    kinds.schedule(timezone.now())
    for _attempt in range(2):  # as after a kill
        kinds.delete_personal_data(Job.objects.get(kind=kinds.RETENTION_JOB_KIND), timezone.now)
    names = dict(Player.objects.values_list("pk", "given_name"))
    assert [names[player.pk] == ERASED_NAME for player in (first, second, *others)] == [False, False, True, True]
    tournament.refresh_from_db()
    assert (tournament.state, tournament.forgotten_at is None) == ("finished", False)
