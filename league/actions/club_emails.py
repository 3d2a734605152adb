"""Emails to a club's members about roles and about the club itself.

They are sent after the commit. If an email fails, a job sends it again later.
"""

from collections.abc import Callable, Iterable
from functools import partial

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.actions import notifications
from league.models import Club, TournamentClub, Webhook
from league.models.rights import ROLES_ABOVE_MEMBER, Right, Role, roles_with_right
from players.dates import date_format
from players.mail_limits import consume_notification_limit
from players.models import Player, User
from players.naming import Audience, names_shown_to

log = structlog.get_logger(__name__)

SubjectAndBody = tuple[str, str]  # subject and body, in the active language


def notify_role_change(club: Club, player: Player, before: str, after: str | None, *, by: User | None) -> None:
    """Email the club's admins except `by`; also the player, if the old or new role has more rights than a member's.

    `before` and `after` are the roles; None means that the player has left the club.
    """

    def message() -> SubjectAndBody:
        subject = _("%(club)s: the role of %(player)s") % {"club": club, "player": player}
        body = _(
            "%(player)s was: %(before)s\n%(player)s is: %(after)s\nChanged by: %(by)s\n\nThe club's people: %(members)s"
        ) % {
            "player": player,
            "before": Role(before).label,
            "after": Role(after).label if after else _("no longer in the club"),
            "by": _actor_name(by),
            "members": _members_address(club),
        }
        return subject, body

    _send_to_admins(club, message, excluded=by, extra_users=_users_above_member([(player, before, after)]))


def notify_role_changes(
    club: Club,
    changes: Iterable[tuple[Player, str | None, str | None]],
    *,
    by: User | None,
    former_admins: Iterable[User] = (),
) -> None:
    """Email the club's admins, and the players whose old or new role has more rights than a member's.

    `changes` has the player, the old role and the new role; a role None means "not in the club". `former_admins` are
    the users who were admins before the changes: they get the email too.
    """
    changes = list(changes)

    def message() -> SubjectAndBody:
        subject = _("%(club)s: roles have changed") % {"club": club}
        lines = [f"{player}{_(': ')}{_role_name(was)} → {_role_name(role)}" for player, was, role in changes]
        body = _("%(changes)s\n\nChanged by: %(by)s\n\nThe club's people: %(members)s") % {
            "changes": "\n".join(lines),
            "by": _actor_name(by),
            "members": _members_address(club),
        }
        return subject, body

    _send_to_admins(club, message, excluded=by, extra_users=[*former_admins, *_users_above_member(changes)])


def _actor_name(user: User | None) -> object:
    return getattr(user, "player", None) or user or "–"


def _users_above_member(changes: Iterable[tuple[Player, str | None, str | None]]) -> list[User]:
    """Return the users of players whose old or new role has more rights than a member's."""
    players = [player.pk for player, *roles in changes if ROLES_ABOVE_MEMBER.intersection(roles)]
    return list(User.objects.filter(is_active=True, player__in=players).order_by("pk"))


def _role_name(role: str | None) -> str:
    return str(Role(role).label) if role else _("not in the club")


def notify_deletion_request(club: Club, *, by: User) -> None:
    address = _page_address("league:club-delete", club.slug)
    assert club.delete_at
    day = club.delete_at.astimezone(club.zone)

    def message() -> SubjectAndBody:
        subject = _("%(club)s will be deleted on %(date)s") % {"club": club, "date": date_format(day, "DATE_FORMAT")}
        body = _(
            "%(by)s asked for it. Until then only the club's admins see it. Then all of it goes, and nobody can bring "
            "it back.\n\nIf it is to stay, keep it here; its file is there, too: %(address)s"
        ) % {"by": _actor_name(by), "address": address}
        return subject, body

    _send_to_admins(club, message)


def notify_deletion_cancelled(club: Club, *, by: User) -> None:
    def message() -> SubjectAndBody:
        subject = _("%(club)s stays") % {"club": club}
        body = _("%(by)s took back that the club is deleted. Everybody sees it again as before.") % {
            "by": _actor_name(by)
        }
        return subject, body

    _send_to_admins(club, message)


def notify_club_deleted(club: Club) -> None:
    def message() -> SubjectAndBody:
        subject = _("%(club)s is deleted") % {"club": club}
        body = _(
            "Its evenings, results, seasons and people are deleted, as an admin had asked. Backups of the installation "
            "keep them until those are deleted, too. Logins stay: each belongs to its person."
        )
        return subject, body

    _send_to_admins(club, message)


def notify_account_deleted(user: User, *, by: User | None = None) -> None:
    """Email the user that the account is deleted. Call it before the deletion.

    `by` is the installation's admin, or None if the owner deletes the account.
    """
    with translation.override(user.language or translation.get_language()):
        subject = _("Your account is deleted")
        if by is None:
            body = _(
                "Your login is deleted, as you asked. Your record stays with your clubs, without a login.\n\n"
                "If it wasn't you, tell whoever looks after this site at once."
            )
        else:
            body = _(
                "The admin of this site has deleted your login. Your record stays with your clubs, without a login."
            )
    transaction.on_commit(partial(_send_emails, subject, body, [user.email]))


def notify_second_factor_required(club: Club, *, by: User) -> None:
    def message() -> SubjectAndBody:
        names = {"club": club, "by": _actor_name(by), "account": _page_address("mfa_index")}
        if club.asks_second_factor:
            subject = _("%(club)s asks for a second factor") % names
            body = _(
                "%(by)s has chosen this: whoever enters results or manages the club signs in with a second factor, a "
                "code of an app or a passkey. Who has none sets one up before the next work there: %(account)s\n\n"
                "It takes two minutes. Do it before the next evening."
            )
        else:
            subject = _("%(club)s no longer asks for a second factor") % names
            body = _("%(by)s has chosen this. Yours, if you have one, stays: %(account)s")
        return subject, body % names

    _send_to_users(club, message, _users_with_right(club, Right.RECORD))


def request_login_confirmation(club: Club, player: Player, before: str, after: str) -> None:
    """Email the club's admins that another club gave the player a login. An admin must confirm or refuse the login.

    `before` and `after` are the player's roles in this club before and after the login.
    """

    def message() -> SubjectAndBody:
        subject = _("%(club)s: %(player)s has a new login") % {"club": club, "player": player}
        names = {
            "player": player,
            "before": Role(before).label,
            "after": Role(after).label,
            "members": _members_address(club),
        }
        body = _(
            "%(player)s had no login any more, and has a new one by an invitation of another club.\n"
            "Nobody here knows whose it is. Until an admin of the club agrees, the login reads nothing of the club."
        )
        if before != after:
            lost = _("%(player)s, who was %(before)s, is a member now: give the role again if it is the same person.")
            body = f"{body}\n{lost}"
        request = _("Agree or refuse beside the name in the list of members: %(members)s")
        return subject, f"{body}\n\n{request}" % names

    _send_to_admins(club, message)


def notify_tournament_invitation(invitation: TournamentClub) -> None:
    """Email the users who may record results in the invited club, since they can register its members."""
    tournament, club = invitation.tournament, invitation.club
    if club is None:
        return

    def message() -> SubjectAndBody:
        names = {"organiser": tournament.club, "tournament": tournament, "club": club}
        subject = _("%(organiser)s invites %(club)s: %(tournament)s") % names
        body = _(
            "%(organiser)s invites %(club)s to its tournament %(tournament)s on %(date)s.\n"
            "Register the club's members here: %(address)s"
        ) % {
            **names,
            "date": date_format(tournament.date, "DATE_FORMAT"),
            "address": absolute_address(invitation.get_absolute_url()),
        }
        return subject, body

    _send_to_users(club, message, _users_with_right(club, Right.RECORD))


def notify_webhook_paused(webhook: Webhook) -> None:
    """Email the club's admins that a webhook is paused. The email shows only the host of the webhook's address."""

    def message() -> SubjectAndBody:
        names = {
            "club": webhook.club,
            "host": webhook.host,
            "reason": webhook.get_paused_display(),
            "address": absolute_address(webhook.get_absolute_url()),
        }
        subject = _("%(club)s: the webhook %(host)s is paused") % names
        body = _(
            "%(reason)s.\n\nThe webhook gets no more messages. Its last messages, a test and the button to go on are "
            "here: %(address)s"
        )
        return subject, body % names

    _send_to_admins(webhook.club, message)


def _members_address(club: Club) -> str:
    return _page_address("league:members", club.slug)


def _page_address(name: str, *arguments: object) -> str:
    return absolute_address(reverse(name, args=arguments))


def absolute_address(path: str) -> str:
    """Return the URL of a path, with the domain from the settings: emails are written without a request."""
    return f"{settings.SITE_ADDRESS}{path}"


def club_admins(club: Club) -> list[User]:
    return _users_with_right(club, Right.MANAGE)


def _users_with_right(club: Club, right: Right) -> list[User]:
    memberships = club.memberships.filter(role__in=roles_with_right(right), login_unconfirmed=False)
    return list(User.objects.filter(is_active=True, pk__in=memberships.values("player__user")).order_by("pk"))


def _send_to_admins(
    club: Club, message: Callable[[], SubjectAndBody], *, excluded: User | None = None, extra_users: Iterable[User] = ()
) -> None:
    """Email the club's admins and the extra users. If no admin has a login, email the superusers instead of admins."""
    admins = club_admins(club) or User.objects.filter(is_active=True, is_superuser=True).order_by("pk")
    _send_to_users(
        club, message, [user for user in (*admins, *extra_users) if excluded is None or user.pk != excluded.pk]
    )


def _send_to_users(club: Club, message: Callable[[], SubjectAndBody], users: Iterable[User]) -> None:
    """Email each user in the user's language; users without a language get the club's language.

    `message` returns subject and body. It is called once for each language, with this language active.
    """
    languages: dict[str, list[str]] = {}
    for address, user in {user.email: user for user in users}.items():
        languages.setdefault(user.language or club.language, []).append(address)
    for language, addresses in languages.items():
        with translation.override(language), names_shown_to(Audience.COMMITTEE):
            subject, body = message()
        transaction.on_commit(partial(_send_emails, subject, body, addresses))


def single_line(subject: str) -> str:
    return " ".join(subject.splitlines())  # a name with a line break in it would end the header


def _send_emails(subject: str, body: str, addresses: list[str]) -> None:
    """Send an email to each address, and store the failed emails for a later attempt.

    After a connection error the remaining emails are stored without an attempt, since the user waits for the page.
    """
    remaining = [address for address in addresses if consume_notification_limit(address)]
    try:
        with get_connection() as server:
            while remaining:
                _send_email(EmailMessage(single_line(subject), body, None, [remaining[0]], connection=server))
                remaining.pop(0)
    except OSError as error:
        for address in remaining:
            notifications.retry_later(
                EmailMessage(single_line(subject), body, None, [address]), error, now=timezone.now()
            )


def _send_email(mail: EmailMessage) -> None:
    """Send the email, or store it for a later attempt after an error that concerns only this email."""
    try:
        mail.send()
    except notifications.EMAIL_ERRORS as error:
        notifications.retry_later(mail, error, now=timezone.now())
