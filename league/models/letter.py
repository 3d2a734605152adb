"""Letters to people: what each asked for, and what waits, was sent, or may have been."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Final, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from players.models import User

# After which nobody knows whether a claimed letter has gone out: sending takes some seconds.
LOST: Final = timedelta(minutes=10)


class LetterKind(models.TextChoices):
    """What a letter tells of; each person chooses by kind."""

    PLANNED = "planned", _("An evening of my clubs is planned")
    RESULTS = "results", _("The results of an evening where I played are out, with my place")
    CORRECTED = "corrected", _("A deal at my table was corrected after the evening")
    ANSWERED = "answered", _("A deal that I contested was answered")
    CONTESTED = "contested", _("Somebody contests a deal in a club where I record results")


# Sent unless the user refuses them; the other kinds are sent on request.
UNLESS_REFUSED: Final = frozenset({LetterKind.CONTESTED, LetterKind.ANSWERED})


class NoticeKind(models.TextChoices):
    """Letters about a person's own account. They are for its safety: nobody asks for them, and nobody stops them."""

    TOKEN = "token", _("A token for programs was made for my account")


class LetterChoice(models.Model):
    """Whether a person wants letters of a kind, where he said so."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="letter_choices")
    kind = models.CharField(max_length=9, choices=LetterKind)
    wanted = models.BooleanField()

    objects: ClassVar[models.Manager[LetterChoice]] = models.Manager()

    class Meta:
        verbose_name = _("choice of letters")
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="letter_choice_once_a_kind")]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"


def wanting(kind: LetterKind) -> Q:
    """Return the condition that a user wants letters of the kind, for `filter`."""
    chosen = LetterChoice.objects.filter(user=OuterRef("pk"), kind=kind)
    if kind in UNLESS_REFUSED:
        return Q(~Exists(chosen.filter(wanted=False)))
    return Q(Exists(chosen.filter(wanted=True)))


def wanted_kinds(user: User) -> set[LetterKind]:
    """Return the kinds of letters that the user gets; one query."""
    said = {LetterKind(kind): wanted for kind, wanted in user.letter_choices.values_list("kind", "wanted")}
    return {kind for kind in LetterKind if said.get(kind, kind in UNLESS_REFUSED)}


class LetterState(models.TextChoices):
    """How far a letter is. One that stays claimed may have gone out or not, and is not sent again."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    SENT = "sent"
    DROPPED = "dropped"  # nobody may or wants to read it any more
    REFUSED = "refused"  # by the mail server


def _uncertain(now: datetime) -> Q:
    return Q(state=LetterState.CLAIMED, claimed_at__lt=now - LOST)


class LetterQuerySet(models.QuerySet["Letter"]):
    """Letters by how far they are."""

    def to_send(self, now: datetime) -> Self:
        """Return those that nobody has claimed, and that the mail server did not put off a moment ago."""
        return self.filter(Q(claimed_at=None) | Q(claimed_at__lt=now - LOST), state=LetterState.WAITING)

    def to_watch(self, now: datetime, patience: timedelta) -> Self:
        """Return those that are uncertain, and those that have waited for longer than `patience`; the newest first."""
        late = Q(state=LetterState.WAITING, written_at__lt=now - patience)
        return self.filter(late | _uncertain(now)).select_related("club", "reader__player").order_by("-pk")

    def uncertain(self, now: datetime) -> Self:
        """Return those that were claimed and of which nothing was heard: they may have gone out or not."""
        return self.filter(_uncertain(now))


class Letter(models.Model):
    """A letter to one reader about one thing: `subject` is an evening's id, a deal's or a token's, as the kind says.

    Written in the transaction of what it tells of. A deal is told of once in each of its versions. A notice is about
    the reader's account, and of no club.
    """

    kind = models.CharField(max_length=9, choices=[*LetterKind.choices, *NoticeKind.choices])
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    club = models.ForeignKey(Club, models.CASCADE, null=True, related_name="+")
    subject = models.BigIntegerField()
    version = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=7, choices=LetterState, default=LetterState.WAITING)
    written_at = models.DateTimeField(auto_now_add=True, db_index=True)
    claimed_at = models.DateTimeField(null=True)  # last, where the mail server asked to try later

    objects: ClassVar = LetterQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("letter")
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject", "version", "reader"], name="letter_once_a_reader"),
            models.CheckConstraint(
                condition=Q(state=LetterState.WAITING) | Q(claimed_at__isnull=False), name="letter_claimed_has_its_time"
            ),
            models.CheckConstraint(
                condition=Q(club=None, kind__in=NoticeKind.values)
                | Q(club__isnull=False) & ~Q(kind__in=NoticeKind.values),
                name="letter_is_of_a_club_or_a_notice",
            ),
        ]
        indexes = [
            models.Index(
                fields=["state"],
                condition=Q(state__in=(LetterState.WAITING, LetterState.CLAIMED)),
                name="letter_not_done",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
