"""People, logins and rights that the restore of an older backup must not bring back; only ids are stored."""

from __future__ import annotations

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class RevocationKind(models.TextChoices):
    """The kinds of revocations. `subject` is the id of a person, login or token; `remains` is the right that still
    exists.
    """

    PLAYER = "player"  # erased
    LOGIN = "login"  # deleted
    RIGHTS = "rights"  # of a login: the remaining FLAGS
    TOKEN = "token"  # noqa: S105  of the API, revoked
    CALENDAR = "calendar"  # the address of a login's calendar
    ROLE = "role"  # of a player in a club: the remaining role, or ""
    CLUB = "club"  # deleted
    WATCHED = "watched"  # links to watch an evening: links below this version have ended
    LETTERS = "letters"  # kinds of email that a login refuses
    ORIGIN = "origin"  # no revocation: its id identifies the installation


FLAGS = ("is_active", "is_staff", "is_superuser")  # of a login


class Revocation(models.Model):
    """The newest revocation of a subject; a change gets a new id.

    Written by database triggers in the same transaction, so no code path can skip it (migrations 0034 and 0042); only
    the erasure of a person is written by its action. A restored backup lacks a revocation if it lacks its id; clocks
    are not compared.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=RevocationKind)
    subject = models.BigIntegerField()
    club = models.BigIntegerField(default=0)  # of a role
    remains = models.TextField(blank=True, default="")
    ended_at = models.DateTimeField()
    kept = models.BooleanField(default=False)  # in the list beside the backups

    objects: ClassVar[models.Manager[Revocation]] = models.Manager()

    class Meta:
        db_table = "league_ending"
        verbose_name = _("ending")
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject", "club"], name="ending_once"),
            models.CheckConstraint(condition=Q(kind__in=RevocationKind.values), name="ending_kind_is_known"),
        ]
        indexes = [models.Index(fields=["kept"], condition=Q(kept=False), name="ending_not_kept")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
