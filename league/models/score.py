from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.table import Seat


class Score(models.Model):
    """The points of one seat from one deal. They are computed from the deal's facts (JSON of what happened), and only
    actions write them.
    """

    # The fields that identify a row, and the computed fields, which `verify` computes again.
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
