from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class CheckKind(models.TextChoices):
    """The kinds of stored checks.

    VERIFY is a verification of stored numbers, BACKUP a backup, DRILL a test restore, COPY a copy of a backup on
    another server, FEED the last reading of the list of releases. ALARM is an email about failed runs, LETTER an email
    that could not be sent, STATUS the newest email about red status checks, with a list of these checks.
    """

    VERIFY = "verify"
    BACKUP = "backup"
    ALARM = "alarm"
    DRILL = "drill"
    LETTER = "letter"
    STATUS = "status"
    COPY = "copy"
    FEED = "feed"


class CheckQuerySet(models.QuerySet["Check"]):
    def latest_of_each_kind(self) -> Self:
        return self.order_by("kind", "-ended_at", "-pk").distinct("kind")


class Check(models.Model):
    """The outcome of one piece of work of the installation (see `CheckKind`). `found` is the number of problems."""

    kind = models.CharField(max_length=6, choices=CheckKind)
    ended_at = models.DateTimeField()
    ok = models.BooleanField()
    found = models.PositiveIntegerField(default=0)
    summary = models.TextField(blank=True)  # the first problems, one per line; or the success

    objects: ClassVar = CheckQuerySet.as_manager()

    class Meta:
        ordering = ["-ended_at", "-pk"]
        verbose_name = _("check")
        constraints = [models.CheckConstraint(condition=Q(kind__in=CheckKind.values), name="check_kind_is_known")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.ended_at:%Y-%m-%d %H:%M}"
