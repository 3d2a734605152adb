"""Send pending notifications: each email at most once, and only to users who may still read its content.

Each email is claimed, sent and marked separately. If a worker dies in between, it is unknown whether the email was
sent. The email then stays claimed, a status check shows it, and it is not sent again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.actions import notifications
from league.actions.club_emails import absolute_address, single_line
from league.actions.jobs import TimeSource, enqueue
from league.models import Club, Job, Notification
from league.models.notification import AccountNotificationKind, NotificationKind, NotificationState, wanted_kinds
from league.notifications.work.unsubscribe_links import UnsubscribeLink, link_address
from league.notifications.work.wording import NotificationText, account_notification_text, notification_text
from league.operations.work.jobs import JobPostponed
from players.mail_limits import consume_notification_limit
from players.models import User
from players.naming import Audience, names_shown_to

log = structlog.get_logger(__name__)

NOTIFICATIONS_JOB_KIND: Final = "notifications"


def schedule_sending(now: datetime) -> None:
    """Enqueue a job if emails are pending, and delete old notifications."""
    notifications.delete_old_notifications(now)
    if Notification.objects.sendable(now).exists():
        enqueue(NOTIFICATIONS_JOB_KIND, now=now)


def send_pending_emails(_job: Job, now: TimeSource) -> Iterator[None]:
    """Send all pending emails, one per step. If the mail server is unreachable, claim no email and postpone the job."""
    try:
        server = get_connection()
        server.open()
    except OSError as error:  # all that smtplib raises are OSErrors
        log.error("mail_server_away", then="letters wait", error=str(error))
        raise JobPostponed(now() + notifications.UNREACHABLE_SERVER_DELAY, str(error)) from error
    try:
        while claimed := notifications.claim_emails(now()):
            mail = make_email(claimed, now())
            wanted = mail is not None and consume_notification_limit(mail.to[0])
            notifications.set_notification_state(
                claimed, _send_email(server, mail) if mail and wanted else NotificationState.DROPPED
            )
            yield
    except OSError as error:
        log.error("letter_uncertain", then="it is not sent again", error=str(error))
    finally:
        server.close()


def send_job_email(job: Job, now: TimeSource) -> None:
    """Send the email in `job.payload`: an email about a registration, or a retry of another email.

    Raise JobPostponed if a later attempt may succeed. Raise OSError if the server refuses the email, or if the email is
    too old. A retry may deliver the email twice, because the previous attempt may have reached the server.
    """
    email = job.payload
    try:
        EmailMessage(email["subject"], email["body"], None, [email["address"]]).send()
    except OSError as error:
        age = now() - job.created_at
        if notifications.is_permanent_error(error) or age >= notifications.RETRY_PERIOD:
            raise
        log.error("mail_not_sent", subject=email["subject"], error=str(error), again=True)
        if not isinstance(error, notifications.EMAIL_ERRORS):
            notifications.postpone_emails(now())
        raise JobPostponed(now() + max(notifications.RETRY_DELAY, age), str(error)) from error
    job.payload = {}


def record_failed_email(job: Job, error: Exception, now: datetime) -> bool:
    """Log an email that is not tried again, and record the failure for a status check.

    Return False: no job replaces the failed job.
    """
    log.error("mail_not_sent", subject=job.payload["subject"], error=str(error), again=False)
    notifications.record_send_failure(now)
    return False


def _send_email(server: BaseEmailBackend, mail: EmailMessage) -> NotificationState:
    """Send the email and return its state by the server's response.

    Raise OSError if it is unknown whether the server accepted the email.
    """
    try:
        server.send_messages([mail])
    except notifications.EMAIL_ERRORS as error:
        later = notifications.is_temporary_error(error)
        log.error("mail_not_sent", error=str(error), again=later)
        return NotificationState.WAITING if later else NotificationState.REFUSED
    return NotificationState.SENT


def make_email(batch: Sequence[Notification], now: datetime) -> EmailMessage | None:
    """Return one email for notifications of one kind to one recipient; None if the recipient may no longer read their
    content.
    """
    recipient, club = batch[0].reader, batch[0].club
    if club is None:
        return _account_email(batch, recipient)
    kind = NotificationKind(batch[0].kind)
    if not _may_receive(kind, recipient, club):
        return None
    names = Audience.COMMITTEE if kind is NotificationKind.CONTESTED else Audience.MEMBERS
    with translation.override(recipient.language or club.language), timezone.override(club.zone), names_shown_to(names):
        text = notification_text(kind, club, recipient, list(dict.fromkeys(row.subject for row in batch)), now)
        return text and _build_email(text, recipient, kind)


def _account_email(batch: Sequence[Notification], recipient: User) -> EmailMessage | None:
    if not recipient.is_active:
        return None
    club = Club.objects.joined_by(recipient).first()
    language = recipient.language or (club.language if club else settings.LANGUAGE_CODE)
    zone = club.zone if club else timezone.get_default_timezone()
    with translation.override(language), timezone.override(zone):
        return _build_email(account_notification_text(AccountNotificationKind(batch[0].kind), batch), recipient)


def _may_receive(kind: NotificationKind, recipient: User, club: Club) -> bool:
    """Return whether the user wants these emails, and may still read the club (for contested deals: record in it)."""
    clubs = (
        Club.objects.recordable_by(recipient)
        if kind is NotificationKind.CONTESTED
        else Club.objects.readable_by(recipient)
    )
    return recipient.is_active and kind in wanted_kinds(recipient) and clubs.filter(pk=club.pk).exists()


def _build_email(text: NotificationText, recipient: User, kind: NotificationKind | None = None) -> EmailMessage:
    """Return the email with a footer: links to stop this kind of email.

    If `kind` is None, the email is about the account, and the footer says why the recipient gets it.
    """
    foot = _("You get this e-mail because it is about the safety of your account.")
    headers = {"Auto-Submitted": "auto-generated"}
    if kind is not None:
        stop = link_address(UnsubscribeLink(recipient.pk, kind))
        foot = _("To get no more e-mails of this kind: %(stop)s\nAll your e-mails: %(choices)s") % {
            "stop": stop,
            "choices": absolute_address(reverse("league:letters")),
        }
        if settings.SITE_ADDRESS:  # RFC 8058: the mail program sends a POST to this URL when the user unsubscribes
            headers |= {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(
        single_line(text.subject),
        "\n\n".join([*text.paragraphs, f"--\n{foot}\n"]),
        None,
        [recipient.email],
        headers=headers,
    )
