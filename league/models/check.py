"""What the installation's admin is told about beside the runs: one row each time something watched came to its end."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Self

from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

KEPT = 50  # rows of each kind


class CheckKind(models.TextChoices):
    """What came to an end; an alarm is a letter about failing runs."""

    VERIFY = "verify"
    BACKUP = "backup"
    ALARM = "alarm"


class CheckQuerySet(models.QuerySet["Check"]):
    """Rows by what they tell."""

    def latest_of_each(self) -> Self:
        """The newest row of each kind; one query."""
        return self.order_by("kind", "-ended_at", "-pk").distinct("kind")


class CheckManager(models.Manager["Check"]):
    """The door: rows are added, and the oldest of their kind go."""

    @transaction.atomic
    def note(self, kind: CheckKind, *, now: datetime, ok: bool, found: int = 0, summary: str = "") -> Check:
        """Write that it ended at `now`, well or not; `found` counts what was wrong, `summary` names the first few."""
        made = self.create(kind=kind, ended_at=now, ok=ok, found=found, summary=summary)
        of_kind = self.filter(kind=kind)
        self.filter(pk__in=list(of_kind.values_list("pk", flat=True)[KEPT:])).delete()
        return made


class Check(models.Model):
    """How a verification or a backup ended, or that admins were written to."""

    kind = models.CharField(max_length=6, choices=CheckKind)
    ended_at = models.DateTimeField()
    ok = models.BooleanField()
    found = models.PositiveIntegerField(default=0)
    summary = models.TextField(blank=True)  # one a line

    objects: ClassVar = CheckManager.from_queryset(CheckQuerySet)()

    class Meta:
        ordering = ["-ended_at", "-pk"]
        verbose_name = _("check")
        constraints = [models.CheckConstraint(condition=Q(kind__in=CheckKind.values), name="check_kind_is_known")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.ended_at:%Y-%m-%d %H:%M}"
