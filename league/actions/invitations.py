"""Invitations by email: personal links for members without a login.

A club's admin types the address, so invitations could be misused to send email to strangers. Therefore a sender needs
a confirmed address, and may send `INVITATIONS_A_DAY` emails a day. A mailbox gets at most three invitations a day. The
name of a new club is not in the subject. Invitations are not stored, since a link gives access; the sender sees which
emails failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

import structlog
from django.apps import apps
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions import audit
from league.actions.advisory_locks import wait_for_lock
from league.actions.club_emails import single_line
from league.actions.notifications import EMAIL_ERRORS
from league.models import AuditEntry, Club, Membership
from league.models.audit_entry import AuditEvent
from players import mail_limits
from players.accounts import has_confirmed_address
from players.models import Player, User
from players.naming import Audience, names_shown_to

log = structlog.get_logger(__name__)

ONE_DAY: Final = timedelta(days=1)


class EmailInvitation(NamedTuple):
    membership: Membership
    link: str


class UnsentInvitation(NamedTuple):
    """A member whose invitation was not sent, and the reason as a sentence for the sender."""

    player: Player
    reason: str


def remaining_invitations(by: User, now: datetime) -> int:
    sent = AuditEntry.objects.filter(event=AuditEvent.INVITED, user=by, logged_at__gt=now - ONE_DAY).count()
    return max(0, settings.INVITATIONS_A_DAY - sent)


def sender_obstacle(by: User, now: datetime) -> str:
    """Return a sentence for the user `by`: why they cannot send invitations now. Return "" if they can."""
    if not has_confirmed_address(by):
        return _("Confirm your own e-mail address first: in your account, under e-mail addresses.")
    return "" if remaining_invitations(by, now) else daily_limit_message()


def daily_limit_message() -> str:
    limit = settings.INVITATIONS_A_DAY
    text = ngettext(
        "You may send %(count)s invitation a day by e-mail. Send this one tomorrow, or pass the link on yourself.",
        "You may send %(count)s invitations a day by e-mail. Send this one tomorrow, or pass the link on yourself.",
        limit,
    )
    return text % {"count": limit}


def recipient_obstacle(membership: Membership) -> str:
    """Return a sentence for the sender: why the member cannot get an invitation by email. Return "" if they can."""
    if membership.player.user_id is not None:
        return _("Has a login already.")
    if not membership.email:
        return _("The club has no e-mail address.")
    return "" if mail_limits.consume_invitation_limit(membership.email, dry_run=True) else _address_limit_message()


def _address_limit_message() -> str:
    return _("Three invitations went to this address today. Send another tomorrow, or pass the link on yourself.")


def send_invitations(
    club: Club, invitations: Sequence[EmailInvitation], *, by: User, not_sent: list[UnsentInvitation]
) -> None:
    """Send the emails after the commit. Then the members whose email was not sent are added to `not_sent`."""
    if invitations:
        transaction.on_commit(partial(_send_with_lock, club, invitations, by, not_sent))


def _send_with_lock(
    club: Club, invitations: Sequence[EmailInvitation], by: User, not_sent: list[UnsentInvitation]
) -> None:
    with wait_for_lock(f"invitations of {by.pk}"):  # two requests at once would both read the same remaining number
        _send_within_limits(club, invitations, by, not_sent)


def _send_within_limits(
    club: Club, invitations: Sequence[EmailInvitation], by: User, not_sent: list[UnsentInvitation]
) -> None:
    now = timezone.now()
    if reason := sender_obstacle(by, now):
        not_sent += [UnsentInvitation(invitation.membership.player, reason) for invitation in invitations]
        return
    with translation.override(club.language):
        has_settled_name = is_club_name_trusted(club, by, now)
        subject = _("%(club)s invites you") % {"club": club} if has_settled_name else _("A card club invites you")
    remaining_today, server, is_unreachable = remaining_invitations(by, now), get_connection(), False
    for membership, link in invitations:
        reason = recipient_obstacle(membership) or ("" if remaining_today else daily_limit_message())
        if not reason and not is_unreachable and not mail_limits.consume_invitation_limit(membership.email):
            reason = _address_limit_message()
        if not reason:
            is_unreachable = is_unreachable or not _open_connection(server)
            if is_unreachable or not _send_email(server, _invitation_email(club, membership, link, subject)):
                reason = _("Send it again in a few minutes, or pass the link on yourself.")
        if reason:
            not_sent.append(UnsentInvitation(membership.player, reason))
        else:
            remaining_today -= 1
            audit.log(AuditEvent.INVITED, membership, by=by)
    server.close()


def _open_connection(server: BaseEmailBackend) -> bool:
    """Open the connection to the mail server; return False if it is unreachable.

    The caller then sends no emails, since another attempt for each member would delay the page.
    """
    try:
        server.open()
    except OSError as error:  # all that smtplib raises are OSErrors
        _log_send_error(error)
        return False
    return True


def _send_email(server: BaseEmailBackend, mail: EmailMessage) -> bool:
    """Send the email; return whether the mail server accepted it."""
    try:
        server.send_messages([mail])
    except OSError as error:
        _log_send_error(error)
        if not isinstance(error, EMAIL_ERRORS):
            server.close()  # opened again for the next member
        return False
    return True


def _log_send_error(error: OSError) -> None:
    log.error("mail_not_sent", about="invitation", then="the sender is told", error=str(error))


def _invitation_email(club: Club, membership: Membership, link: str, subject: str) -> EmailMessage:
    with translation.override(club.language), names_shown_to(Audience.MEMBERS):
        names = {"player": membership.player, "club": club, "link": link}
        body = _(
            "%(player)s,\n\n%(club)s keeps its results on this site. Open this link to see yours, with a login of your "
            "own:\n\n%(link)s\n\nThe link is for you alone and works for 14 days. "
            "If you are not %(player)s, do nothing."
        )
        return EmailMessage(single_line(subject), body % names, None, [membership.email])


def is_club_name_trusted(club: Club, by: User, now: datetime) -> bool:
    """Return whether the club's name may be in the subject of an invitation.

    The name must be a day old, or the club approved by the installation's admin. An imported club has the founding date
    of its file, so the membership of the sender (`by`) must be a day old too.
    """
    if settings.PUBLIC_CLUBS_BY_APPROVAL and club.public:
        return True
    memberships = club.memberships.filter(player__user=by, since__lte=now - ONE_DAY)
    if club.founded_at > now - ONE_DAY or not (by.is_superuser or memberships.exists()):
        return False
    earlier = apps.get_model("league", "ClubEvent").objects.filter(pgh_obj=club, pgh_created_at__lte=now - ONE_DAY)
    names = list(earlier.order_by("-pgh_id").values_list("name", flat=True)[:1])
    return not names or names == [club.name]
