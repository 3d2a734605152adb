"""What the installation's admin is told about beside the runs: one row each time something watched came to its end."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class CheckKind(models.TextChoices):
    """What came to an end; an alarm is a letter about failing runs, a letter one that could not go out at once.

    A row of STATUS stores which status checks were red in the newest email about them, one a line.
    """

    VERIFY = "verify"
    BACKUP = "backup"
    ALARM = "alarm"
    DRILL = "drill"
    LETTER = "letter"
    STATUS = "status"


class CheckQuerySet(models.QuerySet["Check"]):
    """Rows by what they tell."""

    def latest_of_each(self) -> Self:
        """Return the newest row of each kind; one query."""
        return self.order_by("kind", "-ended_at", "-pk").distinct("kind")


class Check(models.Model):
    """How a verification, a backup or a drill ended, that admins were written to, or that a letter was not sent."""

    kind = models.CharField(max_length=6, choices=CheckKind)
    ended_at = models.DateTimeField()
    ok = models.BooleanField()
    found = models.PositiveIntegerField(default=0)
    summary = models.TextField(blank=True)  # one a line

    objects: ClassVar = CheckQuerySet.as_manager()

    class Meta:
        ordering = ["-ended_at", "-pk"]
        verbose_name = _("check")
        constraints = [models.CheckConstraint(condition=Q(kind__in=CheckKind.values), name="check_kind_is_known")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.ended_at:%Y-%m-%d %H:%M}"
