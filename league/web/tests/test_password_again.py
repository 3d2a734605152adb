"""Dangerous actions: a session alone is not enough; the password repeats the request and returns to its page."""

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
from league.web import password_reasons
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
    """The signed-in admin."""
    player = confirm_address(a_member(club, Role.ADMIN))
    signed_in(client, player)
    return player


class Step(NamedTuple):
    """A request, a check whether it took effect, and the last page."""

    address: str
    fields: dict[str, Any]
    is_done: Callable[[], bool]
    ends: str


def _role(club: Club, before: Role, after: Role) -> Step:
    membership = a_member(club, before).memberships.get()
    return Step(
        reverse("league:member-role", args=[club.slug, membership.pk]),
        {"role": after},
        lambda: Membership.objects.get(pk=membership.pk).role == after,
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
    sent = {key: row.role for row in committee for key in (f"role-{row.pk}", f"seen-{row.pk}")}
    return Step(
        reverse("league:committee", args=[club.slug]),
        {**sent, "person-1": heir.pk, "new-1": "secretary", "hand_over": "1"},
        lambda: Membership.objects.get(pk=heir.pk).role == Role.SECRETARY,
        reverse("league:committee", args=[club.slug]),
    )


def _removed(club: Club) -> Step:
    membership = a_member(club, Role.TREASURER).memberships.get()
    return Step(
        reverse("league:member-end", args=[club.slug, membership.pk]),
        {},
        lambda: not Membership.objects.filter(pk=membership.pk).exists(),
        reverse("league:members", args=[club.slug]),
    )


def _invited(club: Club) -> Step:
    membership = a_member(club, Role.SECRETARY, login=False).memberships.get()
    Membership.objects.filter(pk=membership.pk).update(email="new@club.example")
    return Step(
        reverse("league:member-send", args=[club.slug, membership.pk]),
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
    "treasurer put out": _removed,
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
    redirect: Any = client.post(step.address, step.fields)
    assert redirect.status_code == 302
    place = redirect.headers["Location"]
    assert place.startswith(PASSWORD_PAGE)
    assert ", confirm that it is you." in client.get(place).content.decode()  # the purpose
    wrong: Any = client.post(place, {"password": "guessed"})
    assert ", confirm that it is you." in wrong.content.decode()
    assert "password" in wrong.context["form"].errors
    assert not step.is_done()
    with django_capture_on_commit_callbacks(execute=True):
        answer: Any = client.post(place, {"password": PASSWORD}, follow=True)
    assert step.is_done()
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
    redirect: Any = client.post(step.address, step.fields)
    for _twice in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            answer: Any = client.post(redirect.headers["Location"], {"password": PASSWORD}, follow=True)
        assert answer.status_code == 200 or name == "treasurer put out"  # the person's own page is gone
    assert step.is_done()


def test_the_password_page_names_the_deletion_of_an_account_and_nothing_of_other_addresses(
    client: Client, admin: Player
) -> None:
    redirect: Any = client.get(PASSWORD_PAGE, {"next": reverse("league:account-delete")})
    assert "To delete your account, confirm that it is you." in redirect.content.decode()
    for address in ("/", "//evil.example/", "/nowhere", "%00"):
        page = client.get(PASSWORD_PAGE, {"next": address})
        assert page.status_code == 200
        assert "confirm that it is you." not in page.content.decode()


@pytest.mark.parametrize("name", password_reasons.REASONS_BY_VIEW)
def test_each_step_that_is_named_is_a_page(name: str) -> None:
    *space, view = name.split(":")
    resolver = get_resolver().namespace_dict["league"][1] if space else get_resolver()
    assert view in resolver.reverse_dict


def test_a_second_factor_does_it_as_well_and_leads_on(client: Client, club: Club, admin: Player) -> None:
    secret = set_up_second_factor(user_of(admin))
    step = _role(club, Role.MEMBER, Role.ADMIN)
    redirect: Any = client.post(step.address, step.fields)
    page: Any = client.get(redirect.headers["Location"])
    [address] = [option["url"] for option in page.context["reauthentication_alternatives"] if "2fa" in option["url"]]
    assert address in unescape(page.content.decode())
    code = second_factor_code(secret)
    answer: Any = client.post(address, {"code": code}, follow=True)
    assert step.is_done()
    assert answer.request["PATH_INFO"] == step.ends


def test_a_form_that_can_not_be_is_told_before_any_password(client: Client, club: Club, admin: Player) -> None:
    step = _added(club)
    answer = client.post(step.address, {**step.fields, "given_name": ""})
    assert answer.status_code == 422
    assert "given_name" in answer.context["form"].errors


def test_who_lost_his_right_meanwhile_does_nothing_by_his_password(client: Client, club: Club, admin: Player) -> None:
    step = _role(club, Role.MEMBER, Role.ADMIN)
    redirect: Any = client.post(step.address, step.fields)
    club.memberships.filter(player=admin).update(role=Role.SECRETARY)
    assert client.post(redirect.headers["Location"], {"password": PASSWORD}).status_code == 403
    assert not step.is_done()


def test_another_clubs_admin_is_not_even_asked(client: Client, club: Club) -> None:
    signed_in(client, a_member(a_club(), Role.ADMIN))
    for make in STEPS.values():
        step = make(club)
        assert client.post(step.address, step.fields).status_code == 404
        assert not step.is_done()


def test_members_and_guests_are_put_in_and_out_without_it(client: Client, club: Club, admin: Player) -> None:
    step = _role(club, Role.GUEST, Role.MEMBER)
    client.post(step.address, step.fields)
    assert step.is_done()
    fields = {"given_name": "Ann", "family_name": "", "role": "member"}
    client.post(reverse("league:member-add", args=[club.slug]), fields)
    membership = Membership.objects.get(player__given_name="Ann")
    client.post(reverse("league:member-end", args=[club.slug, membership.pk]))
    assert not Membership.objects.filter(pk=membership.pk).exists()
    assert mail.outbox == []


def test_the_link_for_a_secretarys_login_is_shown_by_the_password(client: Client, club: Club, admin: Player) -> None:
    membership = a_member(club, Role.SECRETARY, login=False).memberships.get()
    address = reverse("league:member-invite", args=[club.slug, membership.pk])
    redirect: Any = client.get(address)
    assert redirect.headers["Location"].startswith(PASSWORD_PAGE)
    answer: Any = client.post(redirect.headers["Location"], {"password": PASSWORD}, follow=True)
    assert answer.request["PATH_INFO"] == address
    assert "/join/" in answer.context["link"]


def test_a_record_with_a_role_is_joined_to_a_login_by_the_password(client: Client, club: Club, admin: Player) -> None:
    thief, record = a_member(club), a_member(club, Role.ADMIN, login=False)
    membership = thief.memberships.get()
    address = reverse("league:merge", args=[club.slug, membership.pk], query={"with": record.pk})
    redirect: Any = client.post(address, {"keep": thief.pk})
    assert redirect.headers["Location"].startswith(PASSWORD_PAGE)
    assert not Merge.objects.exists()
    answer: Any = client.post(redirect.headers["Location"], {"password": PASSWORD}, follow=True)
    assert answer.context["second"] == record
    client.post(address, {"keep": thief.pk})
    assert Merge.objects.get().kept == thief


def test_records_without_a_role_are_joined_without_it(client: Client, club: Club, admin: Player) -> None:
    first, second = (a_member(club, login=False) for _record in range(2))
    address = reverse("league:merge", args=[club.slug, first.memberships.get().pk], query={"with": second.pk})
    client.post(address, {"keep": first.pk})
    assert Merge.objects.get().kept == first


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
    redirect: Any = client.post(address)
    assert redirect.headers["Location"].startswith(PASSWORD_PAGE)
    assert not AuditEntry.objects.filter(event="exported").exists()
    back: Any = client.post(redirect.headers["Location"], {"password": PASSWORD}, follow=True)
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
        membership = club.memberships.create(player=player, role=Role.MEMBER)
        client.post(reverse("league:member-role", args=[club.slug, membership.pk]), {"role": "secretary"})
    assert club.memberships.filter(role=Role.SECRETARY).count() == 2
