"""A new committee takes over: several roles at once, and no club is left without an admin."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from league.actions import roles
from league.actions.refusals import StaleVersion
from league.actions.roles import NoAdminLeft, RoleChange
from league.models import AuditEntry, Club, Job, Membership
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from players.models import Player
from tests.build import a_club, a_member, a_player, a_user, confirm_address
from tests.readers import confirmed, give_password, signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def founder() -> Player:
    return confirm_address(a_user("founder@club.example").player)


@pytest.fixture
def club(founder: Player) -> Club:
    return a_club(founder=founder)


def membership_of(player: Player) -> Membership:
    return player.memberships.get()


def address(club: Club) -> str:
    return reverse("league:committee", args=[club.slug])


def typed(club: Club, *come: tuple[Player, str], **changes: Any) -> dict[str, Any]:
    """Return the form's data: the committee unchanged but for `changes`."""
    sent: dict[str, Any] = {"invite": "on"}
    for membership in club.memberships.exclude(role__in=[Role.MEMBER, Role.GUEST]):
        sent |= {f"role-{membership.pk}": membership.role, f"seen-{membership.pk}": membership.role}
    for number, (player, role) in enumerate(come, start=1):
        sent |= {f"person-{number}": membership_of(player).pk, f"new-{number}": role}
    return sent | changes


def test_page_shows_who_gains_and_loses_what_before_it_is_done(client: Client, club: Club, founder: Player) -> None:
    secretary, heir = a_member(club, Role.SECRETARY, login=False), a_member(club)
    sent = typed(club, (heir, "admin"), **{f"role-{membership_of(secretary).pk}": "member"})
    page = signed_in(client, founder).post(address(club), sent)
    assert page.status_code == 200
    assert [(change.membership.player, change.after) for change in page.context["changes"]] == [
        (secretary, Role.MEMBER),
        (heir, Role.ADMIN),
    ]
    words = page.content.decode()
    assert "No longer takes entry fees, runs evenings and enters results. Results stay." in words
    assert "sets up seasons, people, roles and settings" in words
    assert [membership_of(change).role for change in (secretary, heir)] == [Role.SECRETARY, Role.MEMBER]


def test_all_roles_change_at_once_and_the_admins_get_one_letter(
    client: Client, club: Club, founder: Player, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    admin, heir = a_member(club, Role.ADMIN), a_member(club)
    treasurer = a_member(club, login=False)
    Membership.objects.filter(player=treasurer).update(email="named@club.example")
    key = club.invite_key
    sent = typed(
        club,
        (heir, "admin"),
        (treasurer, "treasurer"),
        **{f"role-{membership_of(admin).pk}": "member", "hand_over": "1"},
    )
    browser = confirmed(client, founder)
    for _twice in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            assert browser.post(address(club), sent).status_code == 302
    assert [membership_of(player).role for player in (founder, admin, heir, treasurer)] == [
        "admin",
        "member",
        "admin",
        "treasurer",
    ]
    recipients = [letter.to[0] for letter in mail.outbox]
    assert sorted(recipients) == sorted([user_of(admin).email, user_of(heir).email, "named@club.example"])
    club.refresh_from_db()
    assert club.invite_key != key  # somebody may do less
    [invitation] = [letter for letter in mail.outbox if letter.to == ["named@club.example"]]
    link = next(word for word in invitation.body.split() if "/join/" in word)
    assert "Ended" not in Client().get(link).content.decode()
    assert Client().get(link).status_code in (200, 302)


@pytest.mark.django_db(transaction=True)
def test_an_invitation_that_can_not_go_out_is_told_of_and_kept_nowhere(
    client: Client, club: Club, founder: Player, settings: Any
) -> None:
    """On the committee's page, and where it is sent again: there its link stands."""
    listed_member = a_member(club, login=False)
    Membership.objects.filter(player=listed_member).update(email="named@club.example")
    browser = confirmed(client, founder)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    message = f"The invitation could not go out to {listed_member}."
    page: Any = browser.post(address(club), typed(club, (listed_member, "secretary"), hand_over="1"), follow=True)
    assert message in page.content.decode()
    assert membership_of(listed_member).role == Role.SECRETARY
    page = browser.post(reverse("league:member-send", args=[club.slug, membership_of(listed_member).pk]), follow=True)
    assert message in page.content.decode()
    assert "/join/" in page.content.decode()
    assert "on its way" not in page.content.decode()
    assert not Job.objects.exists()
    assert not AuditEntry.objects.filter(event=AuditEvent.INVITED).exists()


def test_admin_hands_over_everything_and_is_led_to_the_club(client: Client, club: Club, founder: Player) -> None:
    heir = a_member(club)
    sent = typed(club, (heir, "admin"), **{f"role-{membership_of(founder).pk}": "member", "hand_over": "1"})
    browser = confirmed(client, founder)
    assert browser.post(address(club), sent).headers["Location"] == club.get_absolute_url()
    assert browser.get(address(club)).status_code in (403, 404)


def test_nobody_is_invited_who_was_not_to_be(
    client: Client, club: Club, founder: Player, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    listed_member = a_member(club, login=False)
    Membership.objects.filter(player=listed_member).update(email="named@club.example")
    sent = typed(club, (listed_member, "secretary"), hand_over="1")
    del sent["invite"]
    with django_capture_on_commit_callbacks(execute=True):
        confirmed(client, founder).post(address(club), sent)
    assert membership_of(listed_member).role == Role.SECRETARY
    assert mail.outbox == []  # the founder made the change, and is the only admin


@pytest.mark.parametrize("case", ["no admin", "admin without a login", "half", "twice", "unknown", "guest"])
def test_form_that_cannot_be_changes_nothing(client: Client, club: Club, founder: Player, case: str) -> None:
    heir, plain = a_member(club, login=False), a_member(club)
    guest = a_member(club, Role.GUEST)
    field = f"role-{membership_of(founder).pk}"
    sent = {
        "no admin": typed(club, **{field: "secretary"}),
        "admin without a login": typed(club, (heir, "admin"), **{field: "member"}),
        "half": typed(club, (plain, "")),
        "twice": typed(club, (plain, "admin"), (plain, "secretary")),
        "unknown": typed(club, **{field: "king"}),
        "guest": typed(club, (guest, "admin")),
    }[case]
    before = list(club.memberships.values_list("pk", "role"))
    answer = signed_in(client, founder).post(address(club), {**sent, "hand_over": "1"})
    assert answer.status_code == 422
    assert list(club.memberships.values_list("pk", "role")) == before


def test_form_without_a_change_says_so(client: Client, club: Club, founder: Player) -> None:
    page = signed_in(client, founder).post(address(club), typed(club))
    assert page.status_code == 422
    assert "Nothing changes." in page.content.decode()


def test_people_of_another_club_are_not_reached(client: Client, club: Club, founder: Player) -> None:
    a_member(club)
    theirs = a_member(a_club(), Role.MEMBER)
    sent = typed(club, (theirs, "admin"), hand_over="1")
    assert signed_in(client, founder).post(address(club), sent).status_code == 422
    with pytest.raises(StaleVersion):
        roles.change_roles(club, [RoleChange(membership_of(theirs).pk, "member", Role.ADMIN)])
    assert membership_of(theirs).role == Role.MEMBER


def test_role_that_changed_meanwhile_is_not_overwritten(client: Client, club: Club, founder: Player) -> None:
    secretary, heir = a_member(club, Role.SECRETARY), a_member(club)
    sent = typed(club, (heir, "admin"), **{f"role-{membership_of(secretary).pk}": "member", "hand_over": "1"})
    roles.change_role(membership_of(secretary).pk, Role.TREASURER)
    page = confirmed(client, founder).post(address(club), sent, follow=True).content.decode()
    assert "Somebody else changed a role meanwhile." in page
    assert [membership_of(player).role for player in (secretary, heir)] == [Role.TREASURER, Role.MEMBER]


def test_action_keeps_an_admin_with_a_login(club: Club, founder: Player) -> None:
    heir = a_member(club, login=False)
    with pytest.raises(NoAdminLeft):
        roles.change_roles(
            club,
            [
                RoleChange(membership_of(heir).pk, "member", Role.ADMIN),
                RoleChange(membership_of(founder).pk, "admin", Role.MEMBER),
            ],
        )
    assert [membership_of(player).role for player in (founder, heir)] == [Role.ADMIN, Role.MEMBER]


@pytest.mark.django_db(transaction=True)
def test_two_admins_cannot_both_step_down_at_once() -> None:
    first = a_user().player
    club = a_club(founder=first)
    second = a_member(club, Role.ADMIN)

    def step_down(player: Player) -> bool:
        try:
            roles.change_roles(club, [RoleChange(membership_of(player).pk, "admin", Role.MEMBER)])
        except NoAdminLeft:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as together:
        assert sorted(together.map(step_down, (first, second))) == [False, True]


def test_repair_of_a_club_is_told_to_its_admins(
    client: Client, club: Club, founder: Player, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    root = a_user("root@site.example", is_staff=True, is_superuser=True)
    member = a_member(club)
    key = club.invite_key
    rows = list(club.memberships.order_by("pk"))
    sent = {
        **{name: getattr(club, name) or "" for name in ("name", "time_zone", "language", "currency", "place")},
        "fee_member": 0,
        "fee_guest": 0,
        "begins_at": "",
        "memberships-TOTAL_FORMS": len(rows) + 1,
        "memberships-INITIAL_FORMS": len(rows),
        f"memberships-{len(rows)}-player": (new := a_player()).pk,
        f"memberships-{len(rows)}-role": "secretary",
    }
    for number, row in enumerate(rows):
        sent |= {f"memberships-{number}-{name}": getattr(row, name) for name in ("number", "email", "phone", "role")}
        sent |= {f"memberships-{number}-id": row.pk, f"memberships-{number}-player": row.player_id}
        if row.player == member:
            sent[f"memberships-{number}-role"] = "admin"
    client.force_login(root)
    give_password(client)
    page = reverse("admin:league_club_change", args=[club.pk])
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(page, sent)
    assert answer.status_code == 302, answer.context["errors"]
    assert [player.to for player in mail.outbox] == [[user_of(founder).email], [user_of(member).email]]
    assert f"{member}: Member → Admin" in mail.outbox[0].body
    assert f"{new}: not in the club → Secretary" in mail.outbox[0].body
    club.refresh_from_db()
    assert club.invite_key == key  # nobody may do less

    mail.outbox.clear()
    gone = next(number for number, row in enumerate(rows) if row.player == founder)
    sent |= {"memberships-TOTAL_FORMS": len(rows), f"memberships-{gone}-DELETE": "on"}
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(page, sent).status_code == 302
    assert f"{founder}: Admin → not in the club" in mail.outbox[0].body
    assert {player.to[0] for player in mail.outbox} == {user_of(founder).email, user_of(member).email}
    club.refresh_from_db()
    assert club.invite_key != key
