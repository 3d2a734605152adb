"""Deleting one's own account."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pghistory
import pytest
from allauth.usersessions.models import UserSession
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.actions import api_tokens, club_deletion, merging
from league.actions.account_deletion import delete_account
from league.actions.refusals import WrongState
from league.models import ApiToken, Club, Membership, Notification, Seat
from league.models.rights import Role
from league.operations.work.verification import verify
from players.accounts import renew_calendar_key
from players.models import Player, User
from tests.build import NOW, PASSWORD, a_club, a_deal, a_member, a_player, a_season, a_table, a_user, an_evening
from tests.readers import confirmed, give_password, signed_in, user_of

pytestmark = pytest.mark.django_db

ADDRESS = reverse("league:account-delete")


@pytest.fixture
def club() -> Club:
    club = a_club(public=True)
    a_member(club, Role.ADMIN)
    return club


def test_the_page_asks_for_the_password_and_leads_home(
    client: Client, club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    player = a_member(club)
    user = user_of(player)
    signed_in(client, player)
    assert f'href="{ADDRESS}"' in client.get(reverse("account_email")).content.decode()
    assert "Delete my account" in client.get(ADDRESS).content.decode()
    response: Any = client.post(ADDRESS)
    assert response.headers["Location"].startswith(reverse("account_reauthenticate"))
    client.post(response.headers["Location"], {"password": "guessed"})
    assert User.objects.filter(pk=user.pk).exists()
    with django_capture_on_commit_callbacks(execute=True):
        answer: Any = client.post(response.headers["Location"], {"password": PASSWORD}, follow=True)
    assert answer.request["PATH_INFO"] == reverse("league:home")
    assert "Your account is deleted" in answer.content.decode()
    assert not User.objects.filter(pk=user.pk).exists()
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == ([user.email], "Your account is deleted")
    assert client.get(ADDRESS).status_code == 302  # to sign in
    assert client.post(ADDRESS).status_code == 302


def test_every_way_in_ends(client: Client, club: Club) -> None:
    player = a_member(club)
    user, second_client = user_of(player), signed_in(Client(), player)
    second_client.get(reverse("league:home"))
    token = api_tokens.create_token(user, "Site", None, now=NOW)
    calendar = f"/calendar/{renew_calendar_key(user)}.ics"
    headers = {"authorization": f"Bearer {token}"}
    assert Client().get("/api/v1/clubs", headers=headers).status_code == 200
    confirmed(client, player).post(ADDRESS)
    assert second_client.get(reverse("league:privacy")).status_code == 302
    assert Client().get("/api/v1/clubs", headers=headers).status_code == 401
    assert Client().get(calendar).status_code == 404
    assert not Client().login(email=user.email, password=PASSWORD)
    for model in (ApiToken, Notification, UserSession):
        assert not model._default_manager.exists()


def test_results_and_what_was_entered_stay_as_they_are(client: Client, club: Club) -> None:
    secretary = a_member(club, Role.SECRETARY)
    table = a_table(an_evening(a_season(club)), [secretary, *(a_player() for _ in range(3))])
    with pghistory.context(user=secretary.user_id):
        deal = a_deal(table)
    before = list(Seat.objects.order_by("pk").values_list("player", "points", "deals"))
    confirmed(client, secretary).post(ADDRESS)
    assert list(Seat.objects.order_by("pk").values_list("player", "points", "deals")) == before
    secretary.refresh_from_db()
    assert (secretary.user, secretary.memberships.get().role) == (None, Role.MEMBER)
    assert list(verify()) == []
    admin = signed_in(Client(), club.memberships.get(role=Role.ADMIN, player__user__isnull=False).player)
    for page in (
        deal.get_absolute_url(),
        reverse("league:audit", args=[club.slug]),
        reverse("league:player", args=[secretary.pk]),
    ):
        assert admin.get(page).status_code == 200
    assert str(secretary) in Client().get(table.get_absolute_url()).content.decode()


def test_a_guest_stays_a_guest(client: Client, club: Club) -> None:
    guest = a_member(club, Role.GUEST)
    confirmed(client, guest).post(ADDRESS)
    assert guest.memberships.get().role == Role.GUEST


def test_a_record_that_nobody_knows_goes(client: Client) -> None:
    user = a_user()
    player = user.player
    confirmed(client, player).post(ADDRESS)
    assert not Player.objects.filter(pk=player.pk).exists()


def test_who_left_his_clubs_stays_where_results_name_him(client: Client, club: Club) -> None:
    player = a_member(club)
    a_deal(a_table(an_evening(a_season(club)), [player, *(a_player() for _ in range(3))]))
    opponent = a_member(club, login=False)
    merging.merge(player.pk, opponent.pk, by=None, now=NOW)
    player.memberships.all().delete()
    confirmed(client, player).post(ADDRESS)
    assert Player.objects.filter(pk__in=[player.pk, opponent.pk]).count() == 2


def test_the_only_admin_hands_over_first_and_reads_of_which_clubs(client: Client) -> None:
    player = a_user().player
    login = user_of(player).pk
    alone, shared = a_club(founder=player, name="Le Chien"), a_club(founder=player, name="Le Petit")
    a_member(shared, Role.ADMIN)
    a_member(alone, Role.ADMIN, login=False)  # of no use to the club
    confirmed(client, player)
    page = client.get(ADDRESS).content.decode()
    assert reverse("league:committee", args=[alone.slug]) in page
    assert reverse("league:committee", args=[shared.slug]) not in page
    assert "Delete my account" not in page
    refused = client.post(ADDRESS, follow=True).content.decode()
    assert "You are the only admin of Le Chien" in refused
    assert User.objects.filter(pk=login).exists()
    assert Membership.objects.filter(player=player, role=Role.ADMIN).count() == 2
    club_deletion.request_deletion(alone, by=user_of(player), now=NOW)
    client.post(ADDRESS)
    assert not User.objects.filter(pk=login).exists()
    assert shared.memberships.get(player=player).role == Role.MEMBER


def test_the_other_admins_are_told_of_the_role_that_went(
    client: Client, club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    secretary = a_member(club, Role.SECRETARY)
    confirmed(client, secretary)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(ADDRESS)
    subjects = {letter.subject for letter in mail.outbox}
    assert subjects == {f"{club}: the role of {secretary}", "Your account is deleted"}


def test_the_installations_only_admin_stays(client: Client) -> None:
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    client.force_login(root)
    give_password(client)
    assert "Nobody else looks after this installation" in client.post(ADDRESS, follow=True).content.decode()
    User.objects.create_superuser("other@club.example", PASSWORD)
    client.post(ADDRESS)
    assert not User.objects.filter(pk=root.pk).exists()


def test_nobody_elses_account_is_reached(client: Client, club: Club) -> None:
    other_member = a_member(club)
    login = user_of(other_member).pk
    confirmed(client, a_member(club)).post(ADDRESS, {"user": login, "player": other_member.pk})
    assert User.objects.filter(pk=login).exists()


@pytest.mark.django_db(transaction=True)
def test_two_admins_cannot_both_go_at_once_and_one_goes_once() -> None:
    first = a_user().player
    club = a_club(founder=first)
    second = a_member(club, Role.ADMIN)

    def gone(player: Player) -> bool:
        try:
            delete_account(user_of(player).pk)
        except WrongState:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as together:
        outcomes = list(together.map(gone, (first, second, first, second)))
    assert sorted(set(outcomes)) == [False, True]
    assert User.objects.filter(player__in=[first, second]).count() == 1
    assert club.memberships.filter(role=Role.ADMIN, player__user__isnull=False).count() == 1


def test_installations_admin_deletes_accounts_and_their_owners_are_notified(
    client: Client, club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    people = [a_member(club, Role.SECRETARY), a_member(club)]
    emails = [user_of(player).email for player in people]
    client.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
    give_password(client)
    form_data = {
        "action": "delete_selected",
        "_selected_action": [user_of(player).pk for player in people],
        "post": "yes",
    }
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("admin:players_user_changelist"), form_data)
    assert not User.objects.filter(email__in=emails).exists()
    assert people[0].memberships.get().role == Role.MEMBER
    letters = {letter.to[0]: letter.body for letter in mail.outbox if letter.subject == "Your account is deleted"}
    assert letters.keys() == set(emails)
    assert all("The admin of this site has deleted your login" in body for body in letters.values())


def test_installations_admin_deletes_neither_the_last_superuser_nor_a_clubs_last_admin(client: Client) -> None:
    player = a_user().player
    a_club(founder=player, name="Le Chien")
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    client.force_login(root)
    give_password(client)
    for user, reason in (user_of(player), "Le Chien"), (root, "Nobody else looks after this installation"):
        answer = client.post(reverse("admin:players_user_delete", args=[user.pk]), {"post": "yes"})
        assert reason in answer.content.decode()
    form_data = {"action": "delete_selected", "_selected_action": [user_of(player).pk, root.pk], "post": "yes"}
    assert "Le Chien" in client.post(reverse("admin:players_user_changelist"), form_data).content.decode()
    assert User.objects.count() == 2
