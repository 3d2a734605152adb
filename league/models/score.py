"""What each seat got from a deal, and the sums of a table."""

from __future__ import annotations

from django.db import models
from django.db.models import Count, Sum
from django.utils.translation import gettext_lazy as _

from league.models.table import Seat, Table
from league.results.table_sums import Sums


class Score(models.Model):
    """What a deal gave one seat. Derived: only Deal's door writes it."""

    KEY = ("deal_id", "seat_id")
    DERIVED = ("role", "points")

    deal = models.ForeignKey("league.Deal", models.CASCADE, related_name="scores")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="scores")
    role = models.CharField(max_length=16)
    points = models.IntegerField()

    class Meta:
        ordering = ["deal", "seat"]
        verbose_name = _("score")
        constraints = [models.UniqueConstraint(fields=["deal", "seat"], name="score_once_a_deal_and_seat")]

    def __str__(self) -> str:
        return f"{self.seat}: {self.points}"


def sums(table: Table) -> tuple[dict[int, Sums], int]:
    """A table's points and deals by seat id, from its scores, and how many deals stand: each has a score a player."""
    by_seat = {
        seat: Sums(points, deals)
        for seat, points, deals in Score.objects.filter(deal__table=table)
        .order_by()
        .values_list("seat")
        .annotate(points=Sum("points"), deals=Count("pk"))
    }
    return by_seat, sum(each.deals for each in by_seat.values()) // table.playing
