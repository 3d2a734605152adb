"""Tournaments of several clubs: invitations, registration by an invited club's secretary, the ranking of clubs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import club_deletion, registrations, tournament_play, tournaments
from league.actions.refusals import WrongState
from league.actions.registration_retention import delete_registration_data_if_due
from league.actions.registrations import NotClubMember, PlayerEntry, Registration
from league.api.tests.reading import read
from league.models import AuditEntry, Club, Membership, Tournament, TournamentClub, TournamentUnit
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.models.tournament import MAX_CLUBS, UnitState
from league.tournaments.queries.hall import hall_pages
from league.tournaments.queries.playing_units import evening_of
from league.tournaments.queries.team_ranking import rank_clubs
from league.tournaments.tests.test_play import enter, numbers_at, rows_of
from players.models import Player
from tests.build import (
    a_club,
    a_club_unit,
    a_drawn_round,
    a_member,
    a_running_tournament,
    a_tournament,
    a_unit,
    an_invitation,
    sign_in,
)
from tests.readers import confirmed, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def guests() -> Club:
    """The invited club."""
    return a_club(name="Les Invités")


@pytest.fixture
def invitation(guests: Club) -> TournamentClub:
    return an_invitation(guests, places=4)


@pytest.fixture
def secretary(client: Client, guests: Club) -> Client:
    """The secretary of the invited club."""
    return sign_in(client, a_member(guests, Role.SECRETARY))


def address(name: str, *args: object) -> str:
    return reverse(f"league:{name}", args=args)


def posted(*players: Player, **fields: Any) -> dict[str, Any]:
    return {f"player_{number}": player.pk for number, player in enumerate(players, 1)} | {
        "key": uuid4(),
        "consent": "on",
        **fields,
    }


def register(invitation: TournamentClub, *players: Player) -> TournamentUnit:
    registration = Registration([PlayerEntry(str(player), player_id=player.pk) for player in players])
    return registrations.register_by_club(invitation.pk, registration, client_key=uuid4(), now=timezone.now())


def test_an_organiser_invites_clubs_that_it_sees(client: Client, guests: Club) -> None:
    tournament = a_tournament(a_club())
    sign_in(client, a_member(tournament.club, Role.SECRETARY))
    page = address("tournament-clubs", tournament.pk)
    assert client.post(page, {"club": guests.pk}).status_code == 422, "a private club of others"
    Club.objects.filter(pk=guests.pk).update(public=True)
    assert client.post(page, {"club": guests.pk}).status_code == 302
    assert client.post(page, {"club": tournament.club_id}).status_code == 422
    assert set(tournament.clubs.values_list("club", flat=True)) == {guests.pk, tournament.club_id}
    assert AuditEntry.objects.get(event=AuditEvent.TOURNAMENT_CLUB_INVITED).club_id == tournament.club_id
    invitation = tournament.clubs.get(club=guests)
    unit = a_club_unit(invitation)
    client.post(page, {"remove": invitation.pk})
    assert tournament.clubs.count() == 2, "units play for it"
    registrations.cancel(unit.pk, now=timezone.now())
    client.post(page, {"remove": invitation.pk})
    unit.refresh_from_db()
    assert (unit.plays_for, unit.by_club) == (None, False), "the cancelled unit stays"
    assert [row.club for row in tournament.clubs.select_related("club")] == [tournament.club]


def test_those_who_record_in_an_invited_club_get_one_email(
    guests: Club, mailoutbox: list[mail.EmailMessage], django_capture_on_commit_callbacks: Any
) -> None:
    """Once the tournament is announced; an invitation that is taken back and given again sends no second email."""
    secretary = a_member(guests, Role.SECRETARY)
    a_member(guests)
    tournament = a_tournament(a_club(), is_open=False)
    with django_capture_on_commit_callbacks(execute=True):
        first = tournaments.invite_club(tournament.pk, guests)
    assert mailoutbox == []
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.open_registration(tournament.pk, now=timezone.now())
    [message] = mailoutbox
    assert message.to == [user_of(secretary).email]
    assert first.get_absolute_url() in str(message.body)
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.remove_club(tournament.pk, first.pk)
        tournaments.invite_club(tournament.pk, guests)
    assert len(mailoutbox) == 1


def test_a_list_names_the_club_of_each_unit(client: Client, guests: Club) -> None:
    tournament = a_tournament(a_club())
    invitation = tournaments.invite_club(tournament.pk, guests)
    sign_in(client, a_member(tournament.club, Role.SECRETARY))
    lines = "Player 1;Player 2;Club\nAnne Petit;Bruno Grand;les invites\nChloé Roux;Denis Roy;{}\n"
    page = address("units-bring-in", tournament.pk)
    refused = client.post(page, {"text": lines.format("Unknown"), "store": "1"}).content.decode()
    assert "This club does not take part in the tournament: Unknown" in refused
    assert not tournament.units.exists()
    client.post(page, {"text": lines.format(""), "store": "1"})
    assert [unit.plays_for for unit in tournament.units.order_by("pk")] == [invitation, None]
    file = client.get(address("tournament-desk-csv", tournament.pk)).content.decode()
    assert "Les Invités" in file


def test_the_invitation_is_shown_to_secretaries_of_the_invited_club_alone(
    secretary: Client, guests: Club, invitation: TournamentClub
) -> None:
    member = sign_in(Client(), a_member(guests))
    pages = (guests.get_absolute_url(), address("tournaments", guests.slug))
    for page in pages:
        assert invitation.get_absolute_url() in secretary.get(page).content.decode()
        assert invitation.get_absolute_url() not in member.get(page).content.decode()
    tournament = invitation.tournament
    assert secretary.get(tournament.get_absolute_url()).status_code == 200, "although it is private"
    assert member.get(tournament.get_absolute_url()).status_code == 404
    assert secretary.get(address("tournament-desk", tournament.pk)).status_code == 403
    Tournament.objects.filter(pk=tournament.pk).update(state="draft")
    for page in (tournament.get_absolute_url(), invitation.get_absolute_url()):
        assert secretary.get(page).status_code == 404
    assert invitation.get_absolute_url() not in secretary.get(pages[0]).content.decode()


def test_the_secretary_registers_changes_and_cancels_members(
    secretary: Client, guests: Club, invitation: TournamentClub
) -> None:
    first, second, third = (a_member(guests, login=False) for _ in range(3))
    page = invitation.get_absolute_url()
    assert secretary.post(page, posted(first, first)).status_code == 422
    assert secretary.post(page, posted(first, a_member(a_club(), login=False))).status_code == 422
    assert secretary.post(page, posted(first, second, consent="")).status_code == 422
    form = posted(first, second, email="anna@club.example")
    assert [secretary.post(page, form).status_code for _ in range(2)] == [302, 302]
    unit = TournamentUnit.objects.with_players().get()
    assert (unit.state, unit.plays_for, unit.by_club) == (UnitState.REGISTERED, invitation, True)
    assert [member.player for member in unit.members] == [first, second]
    entry = AuditEntry.objects.get(event=AuditEvent.UNIT_REGISTERED)
    assert (entry.club_id, entry.params["club"]) == (invitation.tournament.club_id, guests.name)
    assert secretary.post(page, posted(second, third)).status_code == 422, "registered already"
    edit = address("club-unit-edit", unit.pk)
    assert "anna@club.example" in secretary.get(edit).content.decode()
    assert secretary.post(edit, posted(first, third)).status_code == 302
    assert [member.player for member in TournamentUnit.objects.with_players().get().members] == [first, third]
    secretary.post(address("club-unit-cancel", unit.pk))
    unit.refresh_from_db()
    assert unit.state == UnitState.CANCELLED


def test_the_secretary_sees_and_changes_no_units_of_others(secretary: Client, invitation: TournamentClub) -> None:
    tournament = invitation.tournament
    others = an_invitation(a_club())
    stranger = a_unit(tournament, "Eve Secret", "Dan Secret")
    TournamentUnit.objects.filter(pk=stranger.pk).update(plays_for=invitation)
    other_unit = a_club_unit(others)
    text = secretary.get(invitation.get_absolute_url()).content.decode()
    assert "Secret" not in text
    assert secretary.get(others.get_absolute_url()).status_code == 404
    for unit in (stranger, other_unit):
        assert secretary.get(address("club-unit-edit", unit.pk)).status_code == 404
        assert secretary.post(address("club-unit-cancel", unit.pk)).status_code == 404
        assert secretary.get(address("unit-edit", unit.pk)).status_code == 404


def test_only_members_of_the_invited_club_are_registered_while_it_is_open(
    guests: Club, invitation: TournamentClub
) -> None:
    guest = a_member(guests, Role.GUEST, login=False)
    with pytest.raises(NotClubMember):
        register(invitation, guest, a_member(guests, login=False))
    with pytest.raises(NotClubMember):
        register(invitation, a_member(guests, login=False))
    tournaments.close_registration(invitation.tournament_id)
    with pytest.raises(WrongState):
        a_club_unit(invitation)


def test_the_desk_keeps_players_of_another_club_and_their_club(invitation: TournamentClub) -> None:
    unit = a_club_unit(invitation)
    tournament = invitation.tournament
    desk = sign_in(Client(), a_member(tournament.club, Role.SECRETARY))
    unit = TournamentUnit.objects.with_players().get(pk=unit.pk)
    names = {f"name_{number}": str(member) for number, member in enumerate(unit.members, 1)}
    answer = desk.post(address("unit-edit", unit.pk), {"kind": "complete", **names, "plays_for": ""})
    assert answer.status_code == 302
    changed = TournamentUnit.objects.with_players().get(pk=unit.pk)
    assert changed.plays_for_id == invitation.pk
    assert [member.player_id for member in changed.members] == [member.player_id for member in unit.members]


def test_visitors_choose_no_private_club_before_it_takes_part(client: Client, invitation: TournamentClub) -> None:
    Tournament.objects.filter(pk=invitation.tournament_id).update(public=True)
    page = address("tournament-register", invitation.tournament_id)
    assert "Les Invités" not in client.get(page).content.decode()
    a_club_unit(invitation)
    assert "Les Invités" in client.get(page).content.decode()


def test_the_best_results_of_each_club_are_added(client: Client, guests: Club) -> None:
    tournament = a_running_tournament(a_club(public=True), units=4, rounds=1)
    invitation = tournaments.invite_club(tournament.pk, guests)
    own = tournament.clubs.get(club=tournament.club)
    first, second = a_drawn_round(tournament).tables.with_seats()
    enter(first, 1200, 744)
    enter(second, 1000, 944)
    best, worst, middle, third = (*numbers_at(tournament, first), *numbers_at(tournament, second))
    tournament.units.filter(number__in=[best, worst]).update(plays_for=own)
    tournament.units.filter(number__in=[middle, third]).update(plays_for=invitation)

    def clubs() -> list[tuple[int, str, int, int]]:
        rows = rank_clubs(tournament, evening_of(tournament).season, rows_of(tournament))
        return [(row.rank, row.group.name, row.points, row.counted) for row in rows]

    # 1000 + 944 against 1200 + 744: equal; the best alone: 1200 against 1000.
    assert {row[0] for row in clubs()} == {1}
    tournament.club_best = 1
    tournament.save()
    assert clubs() == [(1, own.name, 1200, 1), (2, "Les Invités", 1000, 1)]
    page = client.get(address("tournament-ranking", tournament.pk)).content.decode()
    assert "1 of 2" in page
    rows = client.get(address("tournament-club-ranking-csv", tournament.pk)).content.decode().splitlines()
    assert rows[2].split(",")[:4] == ["2", "Les Invités", "1", "2"]
    items = read(client, f"tournaments/{tournament.pk}/clubs")["items"]
    assert [(row["rank"], row["club"], row["points"]) for row in items] == [
        (1, own.name, 1200),
        (2, "Les Invités", 1000),
    ]
    assert [page.key for page in hall_pages(evening_of(tournament))] == ["ranking-1", "clubs-1"]
    tournament.units.filter(plays_for=own).update(plays_for=None)
    club_deletion.delete_club(guests.pk, now=timezone.now())
    assert clubs() == [(1, "Les Invités", 1000, 1)], "the name stays"


def test_members_of_other_clubs_play_under_their_own_record_and_are_guests_until_the_data_are_deleted(
    guests: Club,
) -> None:
    invitation = an_invitation(guests, game="belote", date=timezone.localdate(), places=4)
    tournament = invitation.tournament
    unit = a_club_unit(invitation)
    names = list(Player.objects.filter(tournament_entries__unit=unit).values_list("names", flat=True))
    tournament_play.start(tournament.pk, now=timezone.now())
    tournament_play.check_in(tournament.pk, [unit.pk])
    memberships = Membership.objects.filter(club=tournament.club, role=Role.GUEST)
    assert memberships.filter(player__tournament_entries__unit=unit).count() == 2
    assert list(Player.objects.filter(tournament_entries__unit=unit).values_list("names", flat=True)) == names
    later = timezone.now() + timedelta(days=tournament.retention_days + 2)
    assert delete_registration_data_if_due(tournament.pk, now=later)
    assert not memberships.filter(player__tournament_entries__unit=unit).exists()
    assert Membership.objects.filter(club=guests, player__tournament_entries__unit=unit).count() == 2
    assert not mail.outbox


def test_the_organisers_audit_log_names_the_club_that_registers(invitation: TournamentClub) -> None:
    a_club_unit(invitation)
    club = invitation.tournament.club
    admin = confirmed(Client(), a_member(club, Role.ADMIN))
    page = admin.get(address("audit", club.slug)).content.decode()
    assert "Registered for a tournament" in page
    assert page.count("Les Invités") == 2, "the invitation and the registration"


def test_an_invitation_is_refused_with_the_reason(client: Client, guests: Club) -> None:
    Club.objects.filter(pk=guests.pk).update(public=True)
    tournament = a_tournament(a_club())
    sign_in(client, a_member(tournament.club, Role.SECRETARY))
    page = address("tournament-clubs", tournament.pk)
    TournamentClub.objects.bulk_create(
        TournamentClub(tournament=tournament, name=f"Club {n}") for n in range(MAX_CLUBS)
    )
    answer = client.post(page, {"club": guests.pk})
    assert (answer.status_code, "So many clubs can&#x27;t be invited." in answer.content.decode()) == (422, True)
    tournament.clubs.all().delete()
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    answer = client.post(page, {"club": guests.pk})
    assert (answer.status_code, "The tournament is over." in answer.content.decode()) == (422, True)
    assert not tournament.clubs.exists()


def test_an_invitation_is_deleted_once_by_a_repeated_request(client: Client, invitation: TournamentClub) -> None:
    tournament = invitation.tournament
    sign_in(client, a_member(tournament.club, Role.SECRETARY))
    for _ in range(2):
        answer = client.post(address("tournament-clubs", tournament.pk), {"remove": invitation.pk})
        assert answer.status_code == 302
    assert not tournament.clubs.filter(pk=invitation.pk).exists()
    assert AuditEntry.objects.filter(event=AuditEvent.TOURNAMENT_CLUB_REMOVED).count() == 1


def test_an_invited_club_changes_no_unit_after_the_end_of_the_registration(
    secretary: Client, guests: Club, invitation: TournamentClub
) -> None:
    """The page was open before: the organisers have printed their lists."""
    unit = a_club_unit(invitation)
    before = list(unit.players.values_list("player", flat=True))
    tournaments.close_registration(invitation.tournament_id)
    players = [a_member(guests, login=False) for _ in range(2)]
    for page in (address("club-unit-edit", unit.pk), invitation.get_absolute_url()):
        answer = secretary.post(page, posted(*players))
        assert (answer.status_code, "The registration is closed." in answer.content.decode()) == (422, True)
    assert list(TournamentUnit.objects.get().players.values_list("player", flat=True)) == before


def test_an_invited_club_names_its_teams(secretary: Client, guests: Club) -> None:
    """The ranking of teams has these names."""
    invitation = an_invitation(guests, unit_size=3)
    players = [a_member(guests, login=False) for _ in range(3)]
    assert secretary.post(invitation.get_absolute_url(), posted(*players, name="Les Trois")).status_code == 302
    assert invitation.units.get().name == "Les Trois"
