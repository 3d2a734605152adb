"""Erased people, deleted logins and withdrawn rights that a restore of an older backup must not bring back. Only ids
are stored.
"""

from __future__ import annotations

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class RevocationKind(models.TextChoices):
    """The kinds of revocations. `Revocation.subject` is the id of a player, login, token, club or evening, depending on
    the kind. `Revocation.remains` has the rights that are still valid.
    """

    PLAYER = "player"  # a person was erased
    LOGIN = "login"  # a login was deleted
    RIGHTS = "rights"  # a login lost rights; `remains` has its remaining USER_FLAGS
    TOKEN = "token"  # noqa: S105  a token of the API was revoked
    CALENDAR = "calendar"  # the secret URL of a login's calendar changed
    ROLE = "role"  # a player lost a role in a club; `remains` is the remaining role, or ""
    CLUB = "club"  # a club was deleted
    WATCHED = "watched"  # links to an evening's live page ended; links with a lower version than `remains` are invalid
    LETTERS = "letters"  # `remains` has the kinds of email that a login refuses
    ORIGIN = "origin"  # no revocation: the id of this row identifies the installation


USER_FLAGS = ("is_active", "is_staff", "is_superuser")  # fields of User


class Revocation(models.Model):
    """The newest revocation for a subject. A change of the row gives it a new id.

    Database triggers write the row in the transaction of the event, so no code path can skip it
    (`migrations/0001_functions.sql`). Only the erasure of a person is written by its action. If a restored backup has
    no revocation with this id, the revocation must be applied again; clocks are not compared.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=RevocationKind)
    subject = models.BigIntegerField()
    club = models.BigIntegerField(default=0)  # only for the kind ROLE: id of the club
    remains = models.TextField(blank=True, default="")
    ended_at = models.DateTimeField()
    kept = models.BooleanField(default=False)  # whether the list of revocations beside the backups has this row

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
