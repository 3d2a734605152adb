"""Nobody can use the site to send many emails, or words of their own, to an address of their choice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pgtrigger
import pytest
import time_machine
from django.apps import apps
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.actions import roles
from league.models import Club, Membership
from league.models.rights import Role
from players.mail_limits import mailbox
from players.models import Player
from tests.build import PASSWORD, a_club, a_member, a_user, confirm_address
from tests.readers import confirmed, user_of

pytestmark = pytest.mark.django_db

STRANGER: Final = "stranger@post.example"
ROOT: Final = Path(__file__).parent.parent

# Each module that sends email, and what limits the emails that a user can cause by it.
SENDERS: Final = {
    "league/actions/invitations.py": "players.mail_limits.consume_invitation_limit; the sender has a confirmed address",
    "league/actions/club_emails.py": "players.mail_limits.consume_notification_limit",
    "league/actions/notifications.py": "stores emails that club_emails and the account pages were allowed to send",
    "league/operations/work/alarm.py": "goes to the installation's admins",
    "league/operations/work/trial_email.py": "goes to the admin who asks, ten times an hour (test_email)",
    "league/notifications/work/sending.py": "players.mail_limits.consume_notification_limit",
    "league/web/account_adapter.py": "players.account_adapter, which it extends",
}


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi")


@pytest.fixture
def admin(club: Club) -> Player:
    return confirm_address(a_member(club, Role.ADMIN))


def known_by(club: Club, *addresses: str) -> list[Membership]:
    """Return members without a login, of whom the club has these addresses."""
    members = [a_member(club, login=False).memberships.get() for _address in addresses]
    for membership, address in zip(members, addresses, strict=True):
        Membership.objects.filter(pk=membership.pk).update(email=address)
    return members


def invite_one(browser: Client, club: Club) -> None:
    for membership in club.memberships.exclude(email=""):
        browser.post(reverse("league:member-send", args=[club.slug, membership.pk]))


def invite_list(browser: Client, club: Club) -> None:
    people = club.memberships.exclude(email="").values_list("pk", flat=True)
    browser.post(reverse("league:members-invite", args=[club.slug]), {"people": [*people]})


def invite_by_committee(browser: Client, club: Club) -> None:
    for membership in club.memberships.exclude(email=""):
        typed: dict[str, object] = {"invite": "on", "hand_over": "1", "person-1": membership.pk, "new-1": "secretary"}
        for officer in club.memberships.exclude(role__in=[Role.MEMBER, Role.GUEST]):
            typed |= {f"role-{officer.pk}": officer.role, f"seen-{officer.pk}": officer.role}
        browser.post(reverse("league:committee", args=[club.slug]), typed)


INVITERS: Final = [invite_one, invite_list, invite_by_committee]


def mail_of_stranger() -> list[EmailMessage]:
    return [message for message in mail.outbox if mailbox(message.to[0]) == STRANGER]


@pytest.mark.parametrize("invite", INVITERS)
def test_one_mailbox_gets_three_invitations_a_day_from_all_clubs(
    club: Club,
    admin: Player,
    invite: Callable[[Client, Club], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    second_club = a_club()
    second = confirm_address(a_member(second_club, Role.ADMIN))
    for some_club in (club, second_club):
        known_by(some_club, STRANGER, "Stranger@post.example", "stranger+1@post.example", "stranger+2@post.example")
    for player, some_club in ((admin, club), (second, second_club)):
        browser = confirmed(Client(), player)
        with django_capture_on_commit_callbacks(execute=True):
            invite(browser, some_club)
    assert len(mail_of_stranger()) == 3
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        browser = confirmed(Client(), admin)
        with django_capture_on_commit_callbacks(execute=True):
            invite_list(browser, club)
    assert len(mail_of_stranger()) == 6


@pytest.mark.parametrize("invite", INVITERS)
def test_a_sender_without_a_confirmed_address_invites_nobody(
    client: Client,
    club: Club,
    invite: Callable[[Client, Club], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    [membership] = known_by(club, STRANGER)
    browser = confirmed(client, a_member(club, Role.ADMIN))
    with django_capture_on_commit_callbacks(execute=True):
        invite(browser, club)
    assert mail_of_stranger() == []
    page = browser.get(reverse("league:member-invite", args=[club.slug, membership.pk])).content.decode()
    assert reverse("account_email") in page
    assert "Send it to" not in page


@pytest.mark.parametrize("invite", INVITERS)
def test_one_user_sends_so_many_invitations_a_day(
    client: Client,
    club: Club,
    admin: Player,
    invite: Callable[[Client, Club], None],
    settings: Any,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.INVITATIONS_A_DAY = 2
    known_by(club, *(f"person{number}@post.example" for number in range(4)))
    browser = confirmed(client, admin)
    with django_capture_on_commit_callbacks(execute=True):
        invite(browser, club)
    for membership in club.memberships.exclude(email=""):  # the list refuses what it did not offer
        with django_capture_on_commit_callbacks(execute=True):
            browser.post(reverse("league:member-send", args=[club.slug, membership.pk]))
    invited = [message for message in mail.outbox if message.to[0].endswith("@post.example")]
    assert len(invited) == 2


def test_page_of_all_shows_who_gets_an_invitation_and_why_others_get_none(
    client: Client, club: Club, admin: Player, settings: Any
) -> None:
    settings.INVITATIONS_A_DAY = 2
    first, second, third = known_by(club, "one@post.example", "two@post.example", "three@post.example")
    without = a_member(club, login=False)
    form = confirmed(client, admin).get(reverse("league:members-invite", args=[club.slug])).context["form"]
    offered = set(form.fields["people"].queryset)
    excluded = {reason: set(people) for reason, people in form.left_out.items()}
    assert len(offered) == 2
    assert offered < {first, second, third}
    assert excluded["Has a login already."] == {admin}
    assert without in excluded["The club has no e-mail address."]
    [late] = [people for reason, people in excluded.items() if reason.startswith("You may send 2 invitations a day")]
    assert late == {membership.player for membership in (first, second, third)} - {
        membership.player for membership in offered
    }


def test_members_selected_in_the_list_are_ticked_and_no_others(client: Client, club: Club, admin: Player) -> None:
    first, second, third = known_by(club, "one@post.example", "two@post.example", "three@post.example")
    without = a_member(club, login=False)
    browser = confirmed(client, admin)
    page = browser.get(reverse("league:members", args=[club.slug])).content.decode()
    assert page.count('form="invite-selected"') == club.memberships.filter(player__user=None).count()
    selected = [str(row.pk) for row in (first, third, club.memberships.get(player=without))]
    form = browser.get(reverse("league:members-invite", args=[club.slug]), {"people": [*selected, "x" * 5000]}).context[
        "form"
    ]
    assert set(form["people"].initial) == {first, third}
    assert second in form.fields["people"].queryset
    assert form.left_out == {"The club has no e-mail address.": [without]}


def test_selected_members_get_the_invitations_that_are_left_today(
    client: Client, club: Club, admin: Player, settings: Any
) -> None:
    """The limit counts the selected members first. Else members who were not selected would use it up."""
    settings.INVITATIONS_A_DAY = 1
    known_by(club, "one@post.example", "two@post.example")
    last = club.memberships.exclude(email="").order_by("player__committee_key", "pk").last()
    assert last is not None
    address = reverse("league:members-invite", args=[club.slug])
    form = confirmed(client, admin).get(address, {"people": [str(last.pk)]}).context["form"]
    assert list(form.fields["people"].queryset) == form["people"].initial == [last]
    assert form.left_out == {}


@pytest.mark.django_db(transaction=True)
def test_all_ticked_on_the_page_get_their_own_link_at_once(client: Client, club: Club, admin: Player) -> None:
    members = known_by(club, "one@post.example", "two@post.example", "three@post.example")
    browser = confirmed(client, admin)
    sent = {"people": [member.pk for member in members[:2]]}
    answer: Any = browser.post(reverse("league:members-invite", args=[club.slug]), sent, follow=True)
    assert "2 invitations are on their way." in answer.content.decode()
    assert [each.to for each in mail.outbox] == [["one@post.example"], ["two@post.example"]]
    for email, membership in zip(mail.outbox, members, strict=False):
        link = next(word for word in str(email.body).split() if "/join/" in word)
        assert str(membership.player) in Client().get(link).content.decode()


def invited_subject(browser: Client, club: Club, capture: DjangoCaptureOnCommitCallbacks) -> str:
    mail.outbox.clear()
    cache.clear()
    with capture(execute=True):
        invite_one(browser, club)
    return str(mail.outbox[0].subject)


def test_a_name_is_no_subject_before_the_club_is_a_day_old(
    client: Client, club: Club, admin: Player, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    known_by(club, STRANGER)
    browser = confirmed(client, admin)
    assert invited_subject(browser, club, django_capture_on_commit_callbacks) == "A card club invites you"
    day_before = timezone.now() - timedelta(days=1, minutes=1)
    Club.objects.filter(pk=club.pk).update(founded_at=day_before)
    assert invited_subject(browser, club, django_capture_on_commit_callbacks) == "A card club invites you"
    Membership.objects.filter(club=club).update(since=day_before)
    assert invited_subject(browser, club, django_capture_on_commit_callbacks) == "Tarot du mardi invites you"


def test_a_new_name_of_an_old_club_is_no_subject(
    client: Client, club: Club, admin: Player, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    known_by(club, STRANGER)
    before = timezone.now() - timedelta(days=2)
    Club.objects.filter(pk=club.pk).update(founded_at=before)
    Membership.objects.filter(club=club).update(since=before)
    history = apps.get_model("league", "ClubEvent")
    with pgtrigger.ignore("league.ClubEvent:append_only"):
        history.objects.filter(pgh_obj=club).update(pgh_created_at=before)
    browser = confirmed(client, admin)
    assert invited_subject(browser, club, django_capture_on_commit_callbacks) == "Tarot du mardi invites you"
    Club.objects.filter(pk=club.pk).update(name="Buy now")
    assert invited_subject(browser, club, django_capture_on_commit_callbacks) == "A card club invites you"


def test_a_name_is_the_subject_once_the_club_is_approved(
    client: Client,
    club: Club,
    admin: Player,
    settings: Any,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    known_by(club, STRANGER)
    settings.PUBLIC_CLUBS_BY_APPROVAL = True
    Club.objects.filter(pk=club.pk).update(public=True)
    subject = invited_subject(confirmed(client, admin), club, django_capture_on_commit_callbacks)
    assert subject == "Tarot du mardi invites you"


def account_requests(browser: Client, tag: int) -> Iterator[tuple[str, dict[str, str]]]:
    """What asks for an email to the stranger's mailbox: to sign up, for a password, as a further address."""
    address = f"stranger+{tag}@post.example"
    names = {"given_name": "Buy", "family_name": "https://spam.example"}
    for typed in (address, STRANGER):
        yield reverse("account_signup"), {"email": typed, "password1": PASSWORD, **names}
        yield reverse("account_reset_password"), {"email": typed}
        yield reverse("account_email"), {"email": typed, "action_add": ""}
        yield reverse("account_email"), {"email": typed, "action_send": ""}


@pytest.mark.faults
def test_account_pages_send_ten_emails_a_day_to_one_mailbox(
    settings: Any, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """Also where each request comes from another address and session, so that only the mailbox is the same."""
    other_limits = [
        "signup",
        "login",
        "login_failed",
        "reauthenticate",
        "reset_password",
        "confirm_email",
        "manage_email",
    ]
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | dict.fromkeys(other_limits, "")
    start = timezone.now()
    for hour in range(4):
        with time_machine.travel(start + timedelta(hours=hour, minutes=hour), tick=True):
            member = confirm_address(a_user().player)
            for number in range(4):
                for signed_in in (False, True):
                    browser = confirmed(Client(), member) if signed_in else Client()
                    for address, fields in account_requests(browser, 10 * hour + number):
                        with django_capture_on_commit_callbacks(execute=True):
                            browser.post(address, fields)
            assert len(mail_of_stranger()) == min(10, 5 * (hour + 1))
    assert not any("spam.example" in str(message.body) + str(message.subject) for message in mail_of_stranger())


def test_page_says_that_no_further_email_was_sent(client: Client) -> None:
    a_user(STRANGER)
    for _email in range(5):
        client.post(reverse("account_reset_password"), {"email": STRANGER})
    answer: Any = client.post(reverse("account_reset_password"), {"email": STRANGER}, follow=True)
    assert len(mail.outbox) == 5
    assert "Several e-mails went to this address already" in answer.content.decode()


def test_a_login_with_a_strangers_address_gets_ten_letters_a_day(
    club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """Whoever made it signed up with an address that nobody has confirmed."""
    user = a_user(STRANGER)
    membership = club.memberships.create(player=user.player, role=Role.ADMIN)
    inviter = user_of(a_member(club, Role.ADMIN))
    for number in range(30):
        with django_capture_on_commit_callbacks(execute=True):
            roles.change_role(membership.pk, [Role.MEMBER, Role.ADMIN][number % 2], by=inviter)
    assert len(mail_of_stranger()) == 10
    confirm_address(user.player)
    with django_capture_on_commit_callbacks(execute=True):
        roles.change_role(membership.pk, Role.MEMBER, by=inviter)
    assert len(mail_of_stranger()) == 11


def test_every_module_that_sends_email_has_its_limit() -> None:
    senders = {str(path.relative_to(ROOT)) for path in sources() if imports_mail(path)}
    assert senders == SENDERS.keys()


def sources() -> Iterator[Path]:
    for app in ("league", "players", "scoring"):
        yield from (path for path in (ROOT / app).rglob("*.py") if "tests" not in path.parts)


def imports_mail(path: Path) -> bool:
    """Return whether a module can send email: its own backend, in league.mail_folder, is sent to by these."""
    if path.name == "mail_folder.py":
        return False
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("django.core.mail"):
            return True
        if isinstance(node, (ast.Import, ast.ImportFrom)) and any("core.mail" in name.name for name in node.names):
            return True
        if (
            isinstance(node, ast.ImportFrom)
            and node.module == "django.core"
            and any(each.name == "mail" for each in node.names)
        ):
            return True
        if isinstance(node, ast.Attribute) and node.attr == "email_user":
            return True
    return False
