"""Dangerous steps: a session alone does none of them, a password does what was sent, and leads back to where it was."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any, NamedTuple

import pytest
from django.core import mail
from django.test import Client
from django.urls import get_resolver, reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.models import AuditEntry, Club, Membership, Merge
from league.models.rights import Role
from league.web import asked_steps
from players.models import Player
from tests.build import PASSWORD, a_club, a_member, a_player, confirm_address
from tests.readers import give_password, second_factor_code, set_up_second_factor, signed_in, user_of

pytestmark = pytest.mark.django_db

PASSWORD_PAGE = reverse("account_reauthenticate")


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def admin(club: Club, client: Client) -> Player:
    """The admin who is signed in."""
    player = confirm_address(a_member(club, Role.ADMIN))
    signed_in(client, player)
    return player


class Step(NamedTuple):
    """What is sent, whether it is done, and on which page it ends."""

    address: str
    fields: dict[str, Any]
    done: Callable[[], bool]
    ends: str


def _role(club: Club, before: Role, after: Role) -> Step:
    own = a_member(club, before).memberships.get()
    return Step(
        reverse("league:member-role", args=[club.slug, own.pk]),
        {"role": after},
        lambda: Membership.objects.get(pk=own.pk).role == after,
        reverse("league:members", args=[club.slug]),
    )


def _added(club: Club) -> Step:
    return Step(
        reverse("league:member-add", args=[club.slug]),
        {"given_name": "Zoé", "family_name": "Petit", "role": "admin"},
        lambda: Membership.objects.filter(player__given_name="Zoé", role=Role.ADMIN).exists(),
        reverse("league:members", args=[club.slug]),
    )


def _handed_over(club: Club) -> Step:
    heir = a_member(club).memberships.get()
    committee = club.memberships.exclude(role__in=[Role.MEMBER, Role.GUEST])
    sent = {key: each.role for each in committee for key in (f"role-{each.pk}", f"seen-{each.pk}")}
    return Step(
        reverse("league:committee", args=[club.slug]),
        {**sent, "person-1": heir.pk, "new-1": "secretary", "hand_over": "1"},
        lambda: Membership.objects.get(pk=heir.pk).role == Role.SECRETARY,
        reverse("league:committee", args=[club.slug]),
    )


def _ended(club: Club) -> Step:
    own = a_member(club, Role.TREASURER).memberships.get()
    return Step(
        reverse("league:member-end", args=[club.slug, own.pk]),
        {},
        lambda: not Membership.objects.filter(pk=own.pk).exists(),
        reverse("league:members", args=[club.slug]),
    )


def _invited(club: Club) -> Step:
    own = a_member(club, Role.SECRETARY, login=False).memberships.get()
    Membership.objects.filter(pk=own.pk).update(email="new@club.example")
    return Step(
        reverse("league:member-send", args=[club.slug, own.pk]),
        {},
        lambda: AuditEntry.objects.filter(event="invited").exists(),
        reverse("league:members", args=[club.slug]),
    )


def _club_deleted(club: Club) -> Step:
    address = reverse("league:club-delete", args=[club.slug])
    return Step(address, {}, lambda: Club.objects.get(pk=club.pk).delete_at is not None, address)


STEPS: dict[str, Callable[[Club], Step]] = {
    "admin made": lambda club: _role(club, Role.MEMBER, Role.ADMIN),
    "treasurer made": lambda club: _role(club, Role.GUEST, Role.TREASURER),
    "admin unmade": lambda club: _role(club, Role.ADMIN, Role.MEMBER),
    "admin added": _added,
    "committee handed over": _handed_over,
    "treasurer put out": _ended,
    "secretary's login sent": _invited,
    "club deleted": _club_deleted,
}


@pytest.mark.parametrize("name", STEPS)
def test_a_session_alone_does_nothing_and_the_password_does_what_was_sent(
    client: Client,
    club: Club,
    admin: Player,
    name: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    step = STEPS[name](club)
    asked: Any = client.post(step.address, step.fields)
    assert asked.status_code == 302
    place = asked.headers["Location"]
    assert place.startswith(PASSWORD_PAGE)
    assert ", confirm that it is you." in client.get(place).content.decode()  # what it is for
    wrong: Any = client.post(place, {"password": "guessed"})
    assert ", confirm that it is you." in wrong.content.decode()
    assert "password" in wrong.context["form"].errors
    assert not step.done()
    with django_capture_on_commit_callbacks(execute=True):
        answer: Any = client.post(place, {"password": PASSWORD}, follow=True)
    assert step.done()
    assert answer.request["PATH_INFO"] == step.ends


@pytest.mark.parametrize("name", STEPS)
def test_the_password_given_twice_leads_back_all_the_same(
    client: Client,
    club: Club,
    admin: Player,
    name: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    step = STEPS[name](club)
    asked: Any = client.post(step.address, step.fields)
    for _twice in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            answer: Any = client.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)
        assert answer.status_code == 200 or name == "treasurer put out"  # its own page went with him
    assert step.done()


def test_the_password_page_names_the_deletion_of_an_account_and_nothing_of_other_addresses(
    client: Client, admin: Player
) -> None:
    asked: Any = client.get(PASSWORD_PAGE, {"next": reverse("league:account-delete")})
    assert "To delete your account, confirm that it is you." in asked.content.decode()
    for other in ("/", "//evil.example/", "/nowhere", "%00"):
        shown = client.get(PASSWORD_PAGE, {"next": other})
        assert shown.status_code == 200
        assert "confirm that it is you." not in shown.content.decode()


@pytest.mark.parametrize("name", asked_steps.STEPS)
def test_each_step_that_is_named_is_a_page(name: str) -> None:
    *space, view = name.split(":")
    resolver = get_resolver().namespace_dict["league"][1] if space else get_resolver()
    assert view in resolver.reverse_dict


def test_a_second_factor_does_it_as_well_and_leads_on(client: Client, club: Club, admin: Player) -> None:
    secret = set_up_second_factor(user_of(admin))
    step = _role(club, Role.MEMBER, Role.ADMIN)
    asked: Any = client.post(step.address, step.fields)
    page: Any = client.get(asked.headers["Location"])
    [other] = [each["url"] for each in page.context["reauthentication_alternatives"] if "2fa" in each["url"]]
    assert other in unescape(page.content.decode())
    code = second_factor_code(secret)
    answer: Any = client.post(other, {"code": code}, follow=True)
    assert step.done()
    assert answer.request["PATH_INFO"] == step.ends


def test_a_form_that_can_not_be_is_told_before_any_password(client: Client, club: Club, admin: Player) -> None:
    step = _added(club)
    answer = client.post(step.address, {**step.fields, "given_name": ""})
    assert answer.status_code == 200
    assert "given_name" in answer.context["form"].errors


def test_who_lost_his_right_meanwhile_does_nothing_by_his_password(client: Client, club: Club, admin: Player) -> None:
    step = _role(club, Role.MEMBER, Role.ADMIN)
    asked: Any = client.post(step.address, step.fields)
    club.memberships.filter(player=admin).update(role=Role.SECRETARY)
    assert client.post(asked.headers["Location"], {"password": PASSWORD}).status_code == 403
    assert not step.done()


def test_another_clubs_admin_is_not_even_asked(client: Client, club: Club) -> None:
    signed_in(client, a_member(a_club(), Role.ADMIN))
    for make in STEPS.values():
        step = make(club)
        assert client.post(step.address, step.fields).status_code == 404
        assert not step.done()


def test_members_and_guests_are_put_in_and_out_without_it(client: Client, club: Club, admin: Player) -> None:
    step = _role(club, Role.GUEST, Role.MEMBER)
    client.post(step.address, step.fields)
    assert step.done()
    given = {"given_name": "Ann", "family_name": "", "role": "member"}
    client.post(reverse("league:member-add", args=[club.slug]), given)
    own = Membership.objects.get(player__given_name="Ann")
    client.post(reverse("league:member-end", args=[club.slug, own.pk]))
    assert not Membership.objects.filter(pk=own.pk).exists()
    assert mail.outbox == []


def test_the_link_for_a_secretarys_login_is_shown_by_the_password(client: Client, club: Club, admin: Player) -> None:
    own = a_member(club, Role.SECRETARY, login=False).memberships.get()
    address = reverse("league:member-invite", args=[club.slug, own.pk])
    asked: Any = client.get(address)
    assert asked.headers["Location"].startswith(PASSWORD_PAGE)
    answer: Any = client.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)
    assert answer.request["PATH_INFO"] == address
    assert "/join/" in answer.context["link"]


def test_a_record_with_a_role_is_joined_to_a_login_by_the_password(client: Client, club: Club, admin: Player) -> None:
    thief, record = a_member(club), a_member(club, Role.ADMIN, login=False)
    own = thief.memberships.get()
    address = reverse("league:merge", args=[club.slug, own.pk], query={"with": record.pk})
    asked: Any = client.post(address, {"keep": thief.pk})
    assert asked.headers["Location"].startswith(PASSWORD_PAGE)
    assert not Merge.objects.exists()
    answer: Any = client.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)
    assert answer.context["second"] == record
    client.post(address, {"keep": thief.pk})
    assert Merge.objects.get().kept == thief


def test_records_without_a_role_are_joined_without_it(client: Client, club: Club, admin: Player) -> None:
    one, two = (a_member(club, login=False) for _record in range(2))
    address = reverse("league:merge", args=[club.slug, one.memberships.get().pk], query={"with": two.pk})
    client.post(address, {"keep": one.pk})
    assert Merge.objects.get().kept == one


FILES: dict[str, Callable[[Club], tuple[str, str]]] = {
    "club": lambda club: (reverse("league:club-file", args=[club.slug]), reverse("league:club-file", args=[club.slug])),
    "own data": lambda _club: (reverse("league:own-data"), reverse("league:privacy")),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_asked_for_again_on_its_page_after_the_password(
    client: Client, club: Club, admin: Player, name: str
) -> None:
    address, page = FILES[name](club)
    assert "You are asked for your password" in client.get(page).content.decode()
    asked: Any = client.post(address)
    assert asked.headers["Location"].startswith(PASSWORD_PAGE)
    assert not AuditEntry.objects.filter(event="exported").exists()
    back: Any = client.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)
    assert back.request["PATH_INFO"] == page
    assert "Now the file can be downloaded" in back.content.decode()
    answer: Any = client.post(address)
    assert "attachment" in answer.headers["Content-Disposition"]
    assert b"".join(answer.streaming_content)


@pytest.mark.parametrize("name", FILES)
def test_the_word_in_the_address_is_no_password(client: Client, club: Club, admin: Player, name: str) -> None:
    address, _page = FILES[name](club)
    assert client.post(f"{address}?confirmed").headers["Location"].startswith(PASSWORD_PAGE)


def test_it_is_not_asked_again_within_a_few_minutes(client: Client, club: Club, admin: Player) -> None:
    give_password(client)
    for player in (a_player(), a_player()):
        own = club.memberships.create(player=player, role=Role.MEMBER)
        client.post(reverse("league:member-role", args=[club.slug, own.pk]), {"role": "secretary"})
    assert club.memberships.filter(role=Role.SECRETARY).count() == 2
