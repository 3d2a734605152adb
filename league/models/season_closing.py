from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.season import Season


class SeasonClosing(models.Model):
    """The closing of a season. The standings of a closed season are frozen: no run replaces them.

    The digest shows whether the rows of the standings were changed later.
    """

    season = models.OneToOneField(Season, models.CASCADE, related_name="closing")
    digest = models.CharField(max_length=64)  # digest of the rows of its standings
    closed_at = models.DateTimeField()

    objects: ClassVar[models.Manager[SeasonClosing]] = models.Manager()

    class Meta:
        verbose_name = _("closing of a season")
        constraints = [models.CheckConstraint(condition=~models.Q(digest=""), name="season_closing_has_its_digest")]

    def __str__(self) -> str:
        return f"{self.season}"
