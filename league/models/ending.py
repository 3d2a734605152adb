"""What was erased, revoked or ended, by ids alone: whoever restores an older backup has it end again."""

from __future__ import annotations

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class EndingKind(models.TextChoices):
    """What ended; `subject` is the id that it names, `remains` what is left of it."""

    PLAYER = "player"  # who was erased
    LOGIN = "login"  # that was deleted
    RIGHTS = "rights"  # of a login: which of FLAGS are left
    TOKEN = "token"  # noqa: S105  of the API, revoked
    CALENDAR = "calendar"  # the address of a login's calendar
    ROLE = "role"  # of a player in a club: the role that is left, "" for none
    CLUB = "club"  # that was deleted
    WATCHED = "watched"  # addresses to watch an evening at: below which version all have ended
    LETTERS = "letters"  # that a login refuses: their kinds
    ORIGIN = "origin"  # no ending: by its id an installation's list is told from another's


FLAGS = ("is_active", "is_staff", "is_superuser")  # of a login


class Ending(models.Model):
    """The last word about a subject; each change of it gets an id of its own.

    Triggers write it, in the transaction of what it tells of: whatever deletes the row, no action can forget it
    (migrations 0034 and 0042). That a person was erased is written by the action. Whether a backup knows an ending is
    told by its id, never by a clock.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=EndingKind)
    subject = models.BigIntegerField()
    club = models.BigIntegerField(default=0)  # of a role
    remains = models.TextField(blank=True, default="")
    ended_at = models.DateTimeField()
    kept = models.BooleanField(default=False)  # in the list beside the backups

    objects: ClassVar[models.Manager[Ending]] = models.Manager()

    class Meta:
        verbose_name = _("ending")
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject", "club"], name="ending_once"),
            models.CheckConstraint(condition=Q(kind__in=EndingKind.values), name="ending_kind_is_known"),
        ]
        indexes = [models.Index(fields=["kept"], condition=Q(kept=False), name="ending_not_kept")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
