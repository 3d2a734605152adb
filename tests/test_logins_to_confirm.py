"""A record's new login reads nothing of clubs that have not agreed to it: every address, and all that is its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, DjangoDbBlocker

from league.actions import api_tokens, attendance, notifications, people, roles
from league.models import AuditEntry, Club, Notification, Run
from league.models.api_token import Scope
from league.models.audit_entry import AuditEvent
from league.models.club import club_ids_hidden_from
from league.models.evening import EveningState
from league.models.rights import Right, Role
from league.people.queries.invitation_links import Invitation, sign_invitation
from league.recompute.work import runs
from players.models import Player, Rating, RatingStep, User
from players.rating.reference import START_RATING
from tests.build import NOW, a_club, a_member, a_season, a_user, an_evening, settle, sign_in
from tests.readers import confirmed, signed_in, user_of
from tests.test_access import ROWS, World, a_world, answer

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("logins to confirm")]

NAME, SECRETS = "Quatrevents", ("zoe@quatrevents.example", "+33 6 12 34 56 78", "Q-4711")
OF_CLUB = ("seats", "deals", "rests", "attendances", "adjustments", "standings", "contests", "intentions")
OWN_PAGE = "{player}"  # addresses of the person's own pages, which exist for the login


def person_of(world: World) -> Player:
    return Player.objects.get(pk=str(world.places["player"]))


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A private club in which a record has played; another club's admin gave it to the login "taker"."""
    with django_db_blocker.unblock(), transaction.atomic():
        built = a_world(public=False)
        club = Club.objects.get(slug=built.places["club"])
        Club.objects.filter(pk=club.pk).update(name=NAME)
        record = person_of(built)
        email, phone, number = SECRETS
        record.memberships.filter(club=club).update(email=email, phone=phone, number=number)
        attendance.record_intention(int(str(built.places["planned"])), record.pk, comes=True)
        runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
        rated: dict[str, Any] = {"player": record, "game": "tarot", "tables": 1, "dates": 1, "opponents": 3}
        rated |= {"micro": START_RATING, "weight": 1000}
        Rating.objects.create(**rated, last_date=NOW.date(), provisional=True)
        RatingStep.objects.get_or_create(**rated, date=NOW.date())
        other_club, taker = a_club(), a_user()
        other_club.memberships.create(player=record)
        people.give_login(other_club, record.pk, taker)
        record.refresh_from_db()
        built.clients["taker"] = sign_in(Client(), record)
        built.sessions["taker"] = built.clients["taker"].cookies["sessionid"].value
        built.tokens["taker"] = api_tokens.create_token(taker, "Program", None, now=NOW, scopes=Scope.values)
        settle()
        yield built
        transaction.set_rollback(True)


@pytest.mark.faults
def test_every_address_of_the_club_answers_the_login_as_a_stranger(world: World) -> None:
    rows = [row for row in ROWS if row.club != "public" and OWN_PAGE not in row.address]
    assert len(rows) > 200
    got = {f"{row.method} {row.address}": answer(world, row, "taker") for row in rows}
    assert got == {f"{row.method} {row.address}": row.expected["stranger"] for row in rows}


def test_what_is_the_logins_own_shows_nothing_of_the_club(world: World) -> None:
    addresses = [
        row.address.format(**world.places)
        for row in ROWS
        if row.method == "GET" and row.club != "public" and OWN_PAGE in row.address
    ]
    assert len(addresses) > 10
    season, evening, day = (world.places[name] for name in ("season", "evening", "rated"))
    of_club = (NAME, *SECRETS, str(world.places["club"]), f"/seasons/{season}", f"/evenings/{evening}", str(day))
    of_api = (f'"season": {season},', f'"evening": {evening},')
    count = 0
    for address in [*addresses, "/", "/clubs/", "/calendar", "/letters"]:
        headers = {"Authorization": f"Bearer {world.tokens['taker']}"} if address.startswith("/api/") else {}
        answer = world.clients["taker"].get(address, headers=headers)
        if answer.status_code == 200:
            count += 1
            page = answer.content.decode().replace(f'"last_date": "{day}"', "")  # which everybody may read
            assert not [secret for secret in (*of_club, *of_api) if secret in page], address
    assert count > 10


def test_the_persons_rating_has_no_date_of_the_club(world: World) -> None:
    page = world.clients["taker"].get(reverse("league:player", args=[world.places["player"]]))
    [panel] = page.context["panels"]
    assert (panel.changes, panel.chart) == ([], None)


def test_own_data_leaves_out_the_club_until_it_agrees(world: World) -> None:
    record = person_of(world)
    club = Club.objects.get(slug=world.places["club"])

    def downloaded() -> str:
        answer = confirmed(Client(), record).post(reverse("league:own-data"))
        return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]

    before = downloaded()
    assert not [secret for secret in (NAME, *SECRETS) if secret in before]
    for part in (*OF_CLUB, "rating_history"):
        assert f'"{part}": []' in before.replace("[\n]", "[]"), part
    with transaction.atomic():
        roles.confirm_login(record.memberships.get(club=club).pk, by=user_of(a_member(club, Role.ADMIN)))
        after = downloaded()
        transaction.set_rollback(True)
    assert all(secret in after for secret in (NAME, *SECRETS))


def invited(club: Club, record: Player, user: User) -> Client:
    """Return the browser of a login that accepted the club's own link for its record."""
    client = Client()
    client.force_login(user)
    invitation = Invitation(club=club.pk, key=club.invite_key, invited_by=None, player=record.pk)
    client.post(reverse("league:join", args=[sign_invitation(invitation)]))
    return client


@pytest.fixture
def record() -> Player:
    """Somebody without a login whom two private clubs know."""
    person = a_member(a_club(name="Here"), login=False)
    a_club(name="Elsewhere").memberships.create(player=person)
    return person


@pytest.fixture
def other_club(record: Player) -> Club:
    return Club.objects.get(name="Elsewhere")


@pytest.fixture
def own_club(record: Player) -> Club:
    return Club.objects.get(name="Here")


def test_an_admin_of_the_other_club_is_notified_and_agrees_on_the_page_of_members(
    record: Player, own_club: Club, other_club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    admin = a_member(other_club, Role.ADMIN)
    with django_capture_on_commit_callbacks(execute=True):
        reader = invited(own_club, record, a_user())
    [letter] = mail.outbox
    assert letter.to == [user_of(admin).email]
    assert reverse("league:members", args=[other_club.slug]) in letter.body
    assert reader.get(own_club.get_absolute_url()).status_code == 200
    assert reader.get(other_club.get_absolute_url()).status_code == 404
    assert "has not agreed to your login yet" in reader.get("/").content.decode()
    client = signed_in(Client(), admin)
    members = reverse("league:members", args=[other_club.slug])
    assert "New logins from other clubs" in client.get(members).content.decode()
    membership = record.memberships.get(club=other_club)
    for _twice in range(2):
        client.post(reverse("league:member-agree", args=[other_club.slug, membership.pk]))
    assert reader.get(other_club.get_absolute_url()).status_code == 200
    assert "New logins from other clubs" not in client.get(members).content.decode()
    assert AuditEntry.objects.filter(event=AuditEvent.LOGIN_CONFIRMED, club=other_club, player=record).count() == 1


def test_a_club_that_refuses_by_ending_the_membership_shows_nothing_afterwards(
    record: Player, own_club: Club, other_club: Club
) -> None:
    evening = an_evening(a_season(other_club))
    attendance.check_in(evening.pk, [record.pk])
    user = a_user()
    reader = invited(own_club, record, user)
    admin = signed_in(Client(), a_member(other_club, Role.ADMIN))
    admin.post(reverse("league:member-end", args=[other_club.slug, record.memberships.get(club=other_club).pk]))
    assert list(club_ids_hidden_from(user)) == [other_club.pk]
    general = Invitation(club=other_club.pk, key=Club.objects.get(pk=other_club.pk).invite_key, invited_by=None)
    reader.post(reverse("league:join", args=[sign_invitation(general)]))
    assert reader.get(other_club.get_absolute_url()).status_code == 404
    assert Right.READ not in other_club.rights_of(user)
    assert record.memberships.get(club=other_club).login_unconfirmed


def test_the_other_clubs_own_link_for_the_record_is_its_agreement(
    record: Player, own_club: Club, other_club: Club
) -> None:
    user = a_user()
    invited(own_club, record, user)
    reader = invited(other_club, record, user)
    assert reader.get(other_club.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("way", ["its own page", "the committee"])
def test_giving_a_role_is_agreement_too(record: Player, own_club: Club, other_club: Club, way: str) -> None:
    user = a_user()
    invited(own_club, record, user)
    membership = record.memberships.get(club=other_club)
    if way == "its own page":
        roles.change_role(membership.pk, Role.SECRETARY)
    else:
        a_member(other_club, Role.ADMIN)
        roles.change_roles(other_club, [roles.RoleChange(membership.pk, Role.MEMBER, Role.SECRETARY)])
    assert Right.RECORD in other_club.rights_of(user)
    assert not club_ids_hidden_from(user).exists()


def test_a_record_that_a_club_shows_and_that_left_it_gets_its_login_from_the_installations_admin(
    record: Player, own_club: Club, other_club: Club
) -> None:
    attendance.check_in(an_evening(a_season(other_club)).pk, [record.pk])
    roles.end_membership(record.memberships.get(club=other_club).pk)
    user = a_user()
    reader = invited(own_club, record, user)
    invitation = Invitation(club=own_club.pk, key=own_club.invite_key, invited_by=None, player=record.pk)
    page = reader.post(reverse("league:join", args=[sign_invitation(invitation)]))
    assert page.status_code == 409
    assert "Ask the installation’s admin" in page.content.decode()
    record.refresh_from_db()
    assert record.user is None
    assert Player.objects.filter(user=user).exists()


def test_no_letter_of_the_club_goes_to_a_login_that_it_has_not_agreed_to(
    record: Player, own_club: Club, other_club: Club
) -> None:
    user = a_user()
    invited(own_club, record, user)
    notifications.notify_evenings_planned([an_evening(a_season(other_club), EveningState.PLANNED)])
    assert not Notification.objects.filter(reader=user).exists()
