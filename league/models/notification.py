from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Final, NamedTuple, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from players.models import User

# After this time it is uncertain whether a claimed email was sent: sending takes only some seconds.
UNCERTAIN_TIME: Final = timedelta(minutes=10)


class NotificationKind(models.TextChoices):
    PLANNED = "planned", _("An evening of my clubs is planned")
    RESULTS = "results", _("The results of an evening where I played are out, with my place")
    CORRECTED = "corrected", _("A deal at my table was corrected after the evening")
    ANSWERED = "answered", _("A deal that I contested was answered")
    CONTESTED = "contested", _("Somebody contests a deal in a club where I record results")


# Sent unless the user refuses them; the other kinds are sent on request.
SENT_BY_DEFAULT: Final = frozenset({NotificationKind.CONTESTED, NotificationKind.ANSWERED})


class AccountNotificationKind(models.TextChoices):
    """Security emails about a user's account. The user cannot refuse them."""

    TOKEN = "token", _("A token for programs was made for my account")


class StopReason(models.TextChoices):
    """The reason that stops all emails of a user, also emails that the user has chosen."""

    RETURNED = "returned"  # the recipient's mail server returned an email
    COMPLAINT = "complaint"  # the user marked an email as spam


class NotificationChoice(models.Model):
    """Whether a user wants emails of one kind. Without a row, only the kinds in SENT_BY_DEFAULT are sent.

    A row whose kind is a StopReason stops the emails of all kinds while `wanted` is False. It is a row of this table,
    because triggers put all refused kinds on the revocation list: a restored backup does not start the emails again.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="letter_choices")
    kind = models.CharField(max_length=9, choices=NotificationKind)
    wanted = models.BooleanField()

    objects: ClassVar[models.Manager[NotificationChoice]] = models.Manager()

    class Meta:
        db_table = "league_letterchoice"
        verbose_name = _("choice of letters")
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="letter_choice_once_a_kind")]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"


def notification_wanted_condition(kind: NotificationKind) -> Q:
    """Return the query condition for users who get this kind of email."""
    choices = NotificationChoice.objects.filter(user=OuterRef("pk"))
    if kind in SENT_BY_DEFAULT:
        return Q(~Exists(choices.filter(kind__in=(kind, *StopReason), wanted=False)))
    is_stopped = Exists(choices.filter(kind__in=StopReason.values, wanted=False))
    return Q(Exists(choices.filter(kind=kind, wanted=True)), ~is_stopped)


class EmailChoices(NamedTuple):
    """The email kinds that a user receives. If `stop_reason` is set (returned email or spam complaint), `wanted` is
    empty.
    """

    wanted: set[NotificationKind]
    stop_reason: StopReason | None


def email_choices(user: User) -> EmailChoices:
    choices = dict(user.letter_choices.values_list("kind", "wanted"))
    for reason in (StopReason.COMPLAINT, StopReason.RETURNED):
        if not choices.get(reason, True):
            return EmailChoices(set(), reason)
    return EmailChoices({kind for kind in NotificationKind if choices.get(kind, kind in SENT_BY_DEFAULT)}, None)


def wanted_kinds(user: User) -> set[NotificationKind]:
    return email_choices(user).wanted


class NotificationState(models.TextChoices):
    """The states of a notification. CLAIMED: a worker is sending the email, or stopped while sending it, so it is not
    sent again.
    """

    WAITING = "waiting"
    CLAIMED = "claimed"
    SENT = "sent"
    DROPPED = "dropped"  # the user lost the right to read it, or no longer wants such emails
    REFUSED = "refused"  # the mail server refused it


def _uncertain_condition(now: datetime) -> Q:
    return Q(state=NotificationState.CLAIMED, claimed_at__lt=now - UNCERTAIN_TIME)


class NotificationQuerySet(models.QuerySet["Notification"]):
    def sendable(self, now: datetime) -> Self:
        """Return the waiting emails without an attempt to send them in the last UNCERTAIN_TIME."""
        return self.filter(Q(claimed_at=None) | Q(claimed_at__lt=now - UNCERTAIN_TIME), state=NotificationState.WAITING)

    def overdue_or_uncertain(self, now: datetime, patience: timedelta) -> Self:
        """Return the emails that have waited for longer than `patience`, and the `uncertain` emails; newest first."""
        late = Q(state=NotificationState.WAITING, written_at__lt=now - patience)
        return self.filter(late | _uncertain_condition(now)).select_related("club", "reader__player").order_by("-pk")

    def uncertain(self, now: datetime) -> Self:
        """Return emails that were claimed for sending long ago: they may or may not have been sent."""
        return self.filter(_uncertain_condition(now))


class Notification(models.Model):
    """An email to one user, stored in the transaction of the event that it reports.

    `subject` is the id of an evening, deal, contest or token, depending on `kind`. Each version of a deal has its own
    email. An email about an account has no club.
    """

    kind = models.CharField(max_length=9, choices=[*NotificationKind.choices, *AccountNotificationKind.choices])
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    club = models.ForeignKey(Club, models.CASCADE, null=True, related_name="+")
    subject = models.BigIntegerField()
    version = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=7, choices=NotificationState, default=NotificationState.WAITING)
    written_at = models.DateTimeField(auto_now_add=True, db_index=True)
    claimed_at = models.DateTimeField(null=True)  # last attempt to send it

    objects: ClassVar = NotificationQuerySet.as_manager()

    class Meta:
        db_table = "league_letter"
        ordering = ["pk"]
        verbose_name = _("letter")
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject", "version", "reader"], name="letter_once_a_reader"),
            models.CheckConstraint(
                condition=Q(state=NotificationState.WAITING) | Q(claimed_at__isnull=False),
                name="letter_claimed_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(club=None, kind__in=AccountNotificationKind.values)
                | Q(club__isnull=False) & ~Q(kind__in=AccountNotificationKind.values),
                name="letter_is_of_a_club_or_a_notice",
            ),
        ]
        indexes = [
            models.Index(
                fields=["state"],
                condition=Q(state__in=(NotificationState.WAITING, NotificationState.CLAIMED)),
                name="letter_not_done",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
