"""A season's standings: derived each night, and the adjustments that are facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.history import tracked
from league.models.season import Season

if TYPE_CHECKING:
    from league.standings.places import Place


@tracked("AdjustmentEvent")
class Adjustment(models.Model):
    """Points given or taken by an admin, with the reason."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="adjustments")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="adjustments")
    points = models.IntegerField(_("points"))
    reason = models.CharField(_("reason"), max_length=200)
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["given_at"]
        verbose_name = _("adjustment")

    def __str__(self) -> str:
        return f"{self.player}: {self.points}"


class Standing(models.Model):
    """A player's place in a season. A guest has points and no rank."""

    KEY = ("season_id", "player_id")
    DERIVED = ("rank", "points", "evenings", "deals", "counted", "tie_break", "rank_before", "arithmetic")

    season = models.ForeignKey(Season, models.CASCADE, related_name="standings")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="standings")
    rank = models.PositiveIntegerField(null=True)
    points = models.BigIntegerField()
    evenings = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    counted = models.JSONField(default=list)  # ids of the evenings that count, in order
    tie_break = models.CharField(max_length=20, blank=True)
    rank_before = models.PositiveIntegerField(null=True)
    arithmetic = models.PositiveSmallIntegerField()  # its version

    objects: ClassVar[models.Manager[Standing]] = models.Manager()

    class Meta:
        ordering = [models.F("rank").asc(nulls_last=True), "-points", "player__sort_key", "pk"]
        verbose_name = _("standing")
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="standing_once_a_season")]
        indexes = [models.Index(fields=["arithmetic"], name="standing_by_arithmetic")]

    def __str__(self) -> str:
        return f"{self.rank or '–'} {self.player}"

    @classmethod
    def of(cls, season: int, place: Place, arithmetic: int) -> Standing:
        """Return a row, unsaved, of a place that this version of the arithmetic computed, in the season of that id."""
        return cls(
            season_id=season,
            player_id=place.player,
            rank=place.rank,
            points=place.points,
            evenings=len(place.counted),
            deals=place.deals,
            counted=list(place.counted),
            tie_break=place.tie_break,
            rank_before=place.rank_before,
            arithmetic=arithmetic,
        )
