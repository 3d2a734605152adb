from __future__ import annotations

from secrets import token_urlsafe
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.evening import Evening


def new_hall_key() -> str:
    return token_urlsafe(16)


class HallCopy(models.Model):
    """A club file that was written to play an evening on a hall server (a computer in the hall).

    The site and the hall server both have this row, with the same `key`. On the site, `base` is the state of the
    evening when the file was written. After the return of the evening, `base` is empty and `digest` identifies the
    returned file.
    """

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="hall_copies")
    key = models.CharField(max_length=24, default=new_hall_key, editable=False)
    taken_at = models.DateTimeField()
    base = models.JSONField(default=dict, editable=False)
    returned_at = models.DateTimeField(null=True, editable=False)
    digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    objects: ClassVar[models.Manager[HallCopy]] = models.Manager()

    class Meta:
        ordering = ["-taken_at", "-pk"]
        verbose_name = _("copy for a hall server")
        constraints = [
            models.UniqueConstraint(fields=["evening", "key"], name="hall_copy_key_once_an_evening"),
            models.UniqueConstraint(
                fields=["evening"], condition=Q(returned_at__isnull=False), name="hall_copy_returns_once"
            ),
            models.CheckConstraint(
                condition=Q(returned_at=None, digest="") | (Q(returned_at__isnull=False) & ~Q(digest="")),
                name="hall_copy_returned_with_its_digest",
            ),
        ]

    def __str__(self) -> str:
        return self.key
