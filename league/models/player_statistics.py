from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.deal import Deal
from league.models.season import Season


class PlayerStatistics(models.Model):
    """A player's counters over all deals in the closed evenings of a season. Tables with totals only are not included.

    `counts` are the game's own counters (`scoring.statistics`): integers by name, without counters that are 0.
    """

    # The fields that identify a row, and the computed fields, which `verify` computes again.
    KEY = ("season_id", "player_id")
    DERIVED = ("deals", "points", "gained", "best", "best_deal_id", "worst", "worst_deal_id", "counts", "arithmetic")

    pk = models.CompositePrimaryKey("season", "player")
    season = models.ForeignKey(Season, models.CASCADE, related_name="player_statistics", db_index=False)
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="statistics")
    deals = models.PositiveIntegerField()
    points = models.BigIntegerField()
    gained = models.PositiveIntegerField()  # number of deals with more than 0 points
    best = models.IntegerField()  # points of the best deal; of equal deals, `best_deal` is the first
    best_deal = models.ForeignKey(Deal, models.CASCADE, related_name="+", db_index=False)
    worst = models.IntegerField()
    worst_deal = models.ForeignKey(Deal, models.CASCADE, related_name="+", db_index=False)
    counts: models.JSONField[Any, Any] = models.JSONField(default=dict)
    arithmetic = models.PositiveSmallIntegerField()  # version number of the arithmetic of statistics

    objects: ClassVar[models.Manager[PlayerStatistics]] = models.Manager()

    class Meta:
        ordering = ["season", "player"]
        verbose_name = _("statistics")
        indexes = [models.Index(fields=["arithmetic"], name="statistics_by_arithmetic")]

    def __str__(self) -> str:
        return f"{self.player}: {self.deals}"
