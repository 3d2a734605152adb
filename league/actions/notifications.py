"""Storing of optional emails, which users may switch off, and of emails about new API tokens.

A Notification row is stored in the transaction of its event. `notifications/work` claims rows and sends the emails. Old
rows are deleted. `retry_later` is for other emails, about a club or an account: a job sends them again after a failure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPDataError, SMTPNotSupportedError, SMTPRecipientsRefused, SMTPResponseException
from typing import Final
from uuid import uuid4

import structlog
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F, Q

from league.actions.jobs import enqueue
from league.messages import send_tick
from league.models import ApiToken, Check, Contest, Deal, Evening, Job, Notification, NotificationChoice
from league.models.check import CheckKind
from league.models.evening import EveningState
from league.models.notification import (
    AccountNotificationKind,
    NotificationKind,
    NotificationState,
    notification_wanted_condition,
)
from league.models.rights import Right, roles_with_right
from league.models.round import RoundState
from league.models.season import SeasonState
from players.models import User

log = structlog.get_logger(__name__)

EMAIL_QUEUE: Final = "letters"
EMAIL_JOB_KIND: Final = "email"  # a job with one email: about a registration, or a retry of another email
UNREACHABLE_SERVER_DELAY: Final = timedelta(minutes=1)  # until the next attempt while the mail server is unreachable
RETENTION_TIME: Final = timedelta(days=30)
RETRY_DELAY: Final = timedelta(minutes=10)  # before the second attempt; later delays are the age of the job
RETRY_PERIOD: Final = timedelta(days=3)  # after the first attempt; mail servers retry for about as long

# Errors about one email only: the connection can be used for the next email. Do not catch OSError instead: every
# error of smtplib is an OSError, also an error of the connection.
EMAIL_ERRORS: Final = (SMTPResponseException, SMTPRecipientsRefused, SMTPNotSupportedError)
TEMPORARY_SMTP_CODES: Final = range(400, 500)


def notify_evenings_planned(evenings: Sequence[Evening]) -> None:
    """Store emails about new evenings of a season for the club's members. Do nothing unless the season is open."""
    if evenings and evenings[0].season.state == SeasonState.OPEN:
        _notify_members(NotificationKind.PLANNED, evenings[0].season.club_id, [evening.pk for evening in evenings], Q())


def notify_results(evening: Evening) -> None:
    """Store emails for the players who had a seat in the evening."""
    played = Q(player__seats__round__evening=evening, player__seats__round__state=RoundState.ACCEPTED)
    _notify_members(NotificationKind.RESULTS, evening.season.club_id, [evening.pk], played)


def notify_correction(deal: Deal) -> None:
    """Store emails to the players of the table about a corrected deal of a closed evening.

    Do nothing in other evenings, where corrections are normal.
    """
    evening = deal.table.round.evening
    if evening.state == EveningState.CLOSED:
        club, seated = evening.season.club_id, Q(player__seats__table=deal.table)
        _notify_members(NotificationKind.CORRECTED, club, [deal.pk], seated, version=deal.version)


def notify_contest(contest: Contest) -> None:
    club = contest.deal.table.round.evening.season.club_id
    _notify_members(NotificationKind.CONTESTED, club, [contest.pk], ~Q(player=contest.player_id), right=Right.RECORD)


def notify_contest_answer(contest: Contest) -> None:
    club = contest.deal.table.round.evening.season.club_id
    _notify_members(NotificationKind.ANSWERED, club, [contest.pk], Q(player=contest.player_id))


def notify_new_token(token: ApiToken) -> None:
    _store_and_send([Notification(kind=AccountNotificationKind.TOKEN, reader_id=token.user_id, subject=token.pk)])


def _notify_members(
    kind: NotificationKind,
    club: int,
    subjects: Iterable[int],
    recipients: Q,
    *,
    version: int = 0,
    right: Right = Right.READ,
) -> None:
    """Store an email for each of the `recipients` in the club who has the right and wants this kind of email.

    `recipients` is a condition for users. `subjects` are the ids of the evenings, deals or contests that the emails are
    about. `version` is the version of a deal.
    """
    members = Q(
        player__memberships__club=club,
        player__memberships__role__in=roles_with_right(right),
        player__memberships__login_unconfirmed=False,
    )
    users = User.objects.filter(recipients, members, notification_wanted_condition(kind), is_active=True).order_by("pk")
    _store_and_send(
        [
            Notification(kind=kind, reader_id=recipient_id, club_id=club, subject=subject, version=version)
            for recipient_id in users.values_list("pk", flat=True).distinct()
            for subject in subjects
        ]
    )


def _store_and_send(notifications: Sequence[Notification]) -> None:
    """Store the notifications that do not exist yet. After the commit, wake the worker that sends them."""
    if notifications:
        Notification.objects.bulk_create(notifications, ignore_conflicts=True)
        transaction.on_commit(partial(send_tick, EMAIL_QUEUE))


@transaction.atomic
def claim_emails(now: datetime) -> list[Notification]:
    """Claim and return the notifications for the next email; return [] if no notification is pending.

    They have the same kind, user and club. The claim is stored, so that no other worker sends them. A notification that
    the mail server has postponed is claimed again only after some time.
    """
    free = (
        Notification.objects.sendable(now)
        .select_for_update(skip_locked=True, of=("self",))
        .select_related("club", "reader__player")
    )
    first = free.order_by(F("claimed_at").asc(nulls_first=True), "pk").first()
    if first is None:
        return []
    same = free.filter(kind=first.kind, reader=first.reader_id, club=first.club_id)
    notifications: list[Notification] = list(same.order_by("pk"))
    Notification.objects.filter(pk__in=[notification.pk for notification in notifications]).update(
        state=NotificationState.CLAIMED, claimed_at=now
    )
    return notifications


def set_notification_state(notifications: Collection[Notification], state: NotificationState) -> None:
    """Set the state of notifications that are claimed; others stay unchanged."""
    claimed = Notification.objects.filter(
        pk__in=[notification.pk for notification in notifications], state=NotificationState.CLAIMED
    )
    claimed.update(state=state)


def store_notification_choices(
    user: User, wanted: Collection[NotificationKind], offered: Iterable[NotificationKind]
) -> None:
    """Store for each kind of email in `offered` whether the user wants it."""
    NotificationChoice.objects.bulk_create(
        [NotificationChoice(user=user, kind=kind, wanted=kind in wanted) for kind in offered],
        update_conflicts=True,
        unique_fields=["user", "kind"],
        update_fields=["wanted"],
    )


def delete_old_notifications(now: datetime) -> None:
    Notification.objects.filter(written_at__lt=now - RETENTION_TIME).delete()


@transaction.atomic
def record_send_failure(now: datetime) -> None:
    """Store the time of the last email that could not be sent, for the status checks."""
    last = Check.objects.create(kind=CheckKind.LETTER, ended_at=now, ok=False)
    Check.objects.filter(kind=CheckKind.LETTER, pk__lt=last.pk).delete()


def is_temporary_error(error: Exception) -> bool:
    """Return whether the mail server may accept the email later: some first refuse unknown senders (greylisting)."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code in TEMPORARY_SMTP_CODES for code, _text in error.recipients.values())
    return isinstance(error, SMTPResponseException) and error.smtp_code in TEMPORARY_SMTP_CODES


def is_permanent_error(error: Exception) -> bool:
    """Return whether the mail server refuses this email forever.

    Errors about the sender are not permanent: they can be repaired.
    """
    concerns_email = isinstance(error, (SMTPRecipientsRefused, SMTPDataError, SMTPNotSupportedError))
    return concerns_email and not is_temporary_error(error)


@transaction.atomic
def retry_later(mail: EmailMessage, error: Exception, *, now: datetime) -> None:
    """Enqueue a job that sends the email again, or record a failure if the server refuses it forever."""
    refused = is_permanent_error(error)
    log.error("mail_not_sent", subject=mail.subject, error=str(error), again=not refused)
    if refused:
        record_send_failure(now)
    else:
        payload = {"address": mail.to[0], "subject": str(mail.subject), "body": str(mail.body)}
        enqueue(EMAIL_JOB_KIND, uuid4().hex, payload, now=now, due_at=now + RETRY_DELAY)


@transaction.atomic
def postpone_emails(now: datetime) -> None:
    """Postpone all due jobs with an email by a minute, since the mail server is unreachable."""
    Job.objects.due(now).filter(kind=EMAIL_JOB_KIND).update(due_at=now + UNREACHABLE_SERVER_DELAY)
