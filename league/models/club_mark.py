"""A club's logo. It is stored in the database, so that a backup is complete."""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models
from django.db.models import F, Func, IntegerField, Q
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from league.models.club import Club

MAX_LOGO_BYTES: Final = 64 * 1024  # size limit of a logo
LOGO_SIZE_EXPRESSION: Final = Func(F("data"), function="octet_length", output_field=IntegerField())


class ClubMark(models.Model):
    """The image of a club's logo.

    `Club.mark` repeats its digest, so that pages build the URL without reading this row.
    """

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="picture")
    digest = models.CharField(max_length=64)
    content_type = models.CharField(max_length=20)
    data = models.BinaryField()

    objects: ClassVar[models.Manager[ClubMark]] = models.Manager()

    class Meta:
        verbose_name = _("mark")
        constraints = [
            models.CheckConstraint(condition=Q(digest__regex="^[0-9a-f]{64}$"), name="mark_digest_is_one"),
            models.CheckConstraint(
                condition=LessThanOrEqual(LOGO_SIZE_EXPRESSION, MAX_LOGO_BYTES), name="mark_is_small"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club}"
