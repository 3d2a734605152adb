from __future__ import annotations

from datetime import date
from hashlib import sha256
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from league.models.history import track_history


class Scope(models.TextChoices):
    """The writes that a token for the API may allow. Reading needs no scope."""

    RECORD = "record", _("Record deals and totals of evenings")
    REGISTER = "register", _("Register units of tournaments, cancel them and check them in")


def token_digest(token: str) -> str:
    """Return the SHA-256 of a token, as stored. A fast hash is safe enough, because tokens are long and random."""
    return sha256(token.encode()).hexdigest()


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def valid(self, today: date) -> Self:
        return self.filter(Q(last_day=None) | Q(last_day__gte=today), user__is_active=True)

    def with_user(self) -> Self:
        return self.select_related("user__player")


@track_history("ApiTokenEvent", fields=["id", "user", "last_day", "made_at", "scopes", "club"])
class ApiToken(models.Model):
    """A user's token for the API. It gives the user's own rights to read. `used_at` is exact to the minute.

    With `scopes`, the token also allows writes, within the rights of the user: in `club`, or in all the user's clubs if
    `club` is None.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    last_day = models.DateField(_("last day"), null=True, blank=True)
    made_at = models.DateTimeField(editable=False)
    used_at = models.DateTimeField(null=True, editable=False)
    scopes = ArrayField(
        models.CharField(max_length=8, choices=Scope), verbose_name=_("writes"), default=list, blank=True
    )
    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("club"))

    objects: ClassVar = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("token")
        constraints = [
            models.UniqueConstraint("user", Lower("name"), name="api_token_name_once_a_person"),
            models.CheckConstraint(condition=Q(scopes__contained_by=Scope.values), name="api_token_scopes_are_known"),
            models.CheckConstraint(condition=Q(club=None) | Q(scopes__len__gt=0), name="api_token_of_a_club_writes"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scope_labels(self) -> list[str]:
        return [str(scope.label) for scope in Scope if scope in self.scopes]


class ApiWrite(models.Model):
    """The stored answer to a write through the API. If a program sends the same request again, it gets this answer
    again.

    It is stored in the transaction of the write. `digest` identifies the request's address and body. The answer has no
    names of people, so the erasure of a person needs no change here.
    """

    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="writes")
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    answer = models.JSONField(default=dict)
    made_at = models.DateTimeField(editable=False)

    objects: ClassVar[models.Manager[ApiWrite]] = models.Manager()

    class Meta:
        verbose_name = _("write of a program")
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="api_write_key_once_a_token")]

    def __str__(self) -> str:
        return self.key
