from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class DemoInstallation(models.Model):
    """Marks a database that has only demo data. Only a database with this row is ever reset.

    The row is created when the demo fills an empty database.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    filled_at = models.DateTimeField()

    objects: ClassVar[models.Manager[DemoInstallation]] = models.Manager()

    class Meta:
        verbose_name = _("demo")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="demo_is_one")]

    def __str__(self) -> str:
        return f"demo of {self.filled_at:%Y-%m-%d %H:%M}"
