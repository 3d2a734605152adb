"""What the next run has to do: every action marks it in its own transaction."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class DueQuerySet(models.QuerySet["Due"]):
    """What waits for a run."""

    def next_at(self) -> datetime | None:
        """Return when the first of it may be computed; None when nothing waits."""
        found: datetime | None = self.aggregate(first=models.Min("not_before"))["first"]
        return found


class Due(models.Model):
    """What is to be computed again: a season's standings, or a game's ratings from a date on."""

    season = models.ForeignKey("league.Season", models.CASCADE, null=True, related_name="dues")
    game = models.SlugField(max_length=40, blank=True)
    date = models.DateField(null=True)
    not_before = models.DateTimeField(db_index=True)
    why = models.CharField(max_length=40)
    marked_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = DueQuerySet.as_manager()

    class Meta:
        verbose_name = _("due")
        constraints = [
            models.CheckConstraint(
                condition=Q(season__isnull=False, game="", date=None)
                | (Q(season=None, date__isnull=False) & ~Q(game="")),
                name="due_is_a_season_or_a_game_and_date",
            )
        ]

    def __str__(self) -> str:
        return f"{self.season or self.game} ({self.why})"
