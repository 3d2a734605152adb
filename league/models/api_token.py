from __future__ import annotations

from datetime import date
from hashlib import sha256
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from league.models.history import tracked


def token_digest(token: str) -> str:
    """Return the SHA-256 of a token. A fast hash is enough: tokens are long and random."""
    return sha256(token.encode()).hexdigest()


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def valid(self, today: date) -> Self:
        return self.filter(Q(last_day=None) | Q(last_day__gte=today), user__is_active=True)

    def with_user(self) -> Self:
        return self.select_related("user__player")


@tracked("ApiTokenEvent", fields=["id", "user", "last_day", "made_at"])
class ApiToken(models.Model):
    """A user's token for the API, with the user's rights to read. `used_at` is exact to the minute."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    last_day = models.DateField(_("last day"), null=True, blank=True)
    made_at = models.DateTimeField(editable=False)
    used_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("token")
        constraints = [
            models.UniqueConstraint("user", Lower("name"), name="api_token_name_once_a_person"),
        ]

    def __str__(self) -> str:
        return self.name
