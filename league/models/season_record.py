from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.deal import Deal
from league.models.evening import Evening
from league.models.season import Season
from league.models.table import Table


class SeasonRecord(models.Model):
    """A record of one month in a season, from closed evenings. `month` is the first day of the month.

    A month has one row for each record: the best value, the first player who reached it, and the number of players who
    reached it (`shared`). For the record of evenings won it has a row for each player, numbered by `place`. `evening`,
    `deal` and `table` are the source of the value, or None. `since` is the first evening of a streak; a streak
    belongs to the month of its end.
    """

    # The fields that identify a row, and the computed fields, which `verify` computes again.
    KEY = ("season_id", "name", "month", "place")
    DERIVED = ("value", "shared", "player_id", "evening_id", "since_id", "table_id", "deal_id", "arithmetic")

    pk = models.CompositePrimaryKey("season", "name", "month", "place")
    # No foreign-key constraints: they would cost a tenth of a full run. `verify` checks the references.
    season = models.ForeignKey(Season, models.CASCADE, related_name="records", db_index=False, db_constraint=False)
    name = models.CharField(max_length=40)
    month = models.DateField()
    place = models.PositiveIntegerField()
    value = models.IntegerField()
    shared = models.PositiveIntegerField()
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="records", null=True, db_constraint=False)
    evening = models.ForeignKey(
        Evening, models.CASCADE, related_name="+", null=True, db_index=False, db_constraint=False
    )
    since = models.ForeignKey(Evening, models.CASCADE, related_name="+", null=True, db_index=False, db_constraint=False)
    table = models.ForeignKey(Table, models.CASCADE, related_name="+", null=True, db_index=False, db_constraint=False)
    deal = models.ForeignKey(Deal, models.CASCADE, related_name="+", null=True, db_index=False, db_constraint=False)
    arithmetic = models.PositiveSmallIntegerField()  # version number of the arithmetic of records

    objects: ClassVar[models.Manager[SeasonRecord]] = models.Manager()

    class Meta:
        ordering = ["season", "name", "month", "place"]
        verbose_name = _("record")
        constraints = [
            models.CheckConstraint(condition=Q(place__gte=1) & Q(shared__gte=1), name="record_places_from_one"),
        ]
        indexes = [models.Index(fields=["arithmetic"], name="record_by_arithmetic")]

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"
