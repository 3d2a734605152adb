"""Two records of one person made one, so that it can be undone."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Merge(models.Model):
    """What went from one record to the other.

    `moved` lists the ids of the rows that changed hands by their model's label, `removed` the rows, as they were, that
    the kept record had already (a membership of the same club): all that is needed to undo it.
    """

    kept = models.ForeignKey("players.Player", models.PROTECT, related_name="merges")
    gone = models.ForeignKey("players.Player", models.PROTECT, related_name="merged")
    moved = models.JSONField(default=dict)
    removed = models.JSONField(default=list)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)

    objects: ClassVar = models.Manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("merge")
        constraints = [
            models.CheckConstraint(condition=~Q(kept=F("gone")), name="merge_of_two_records"),
            models.UniqueConstraint(fields=["gone"], condition=Q(undone_at=None), name="merge_once_a_record"),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"
