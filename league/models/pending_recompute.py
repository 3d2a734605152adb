"""Pending work for the next recompute run. Each action that makes a recompute necessary adds a row in its own
transaction.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

RECOMPUTE_NOTICE_TIME: Final = timedelta(minutes=5)  # leaderboards announce a recompute this long before it starts


class PendingRecomputeQuerySet(models.QuerySet["PendingRecompute"]):
    def earliest_start(self) -> datetime | None:
        first: datetime | None = self.aggregate(first=models.Min("not_before"))["first"]
        return first


class PendingRecompute(models.Model):
    """Pending work: a run must compute the standings of `season`, or the ratings of `game` from `date` on, again.

    A run does this work at `not_before` or later, and then deletes the row.
    """

    class Reason(models.TextChoices):
        """The event that made the recompute necessary, as the page of a run shows it."""

        CLOSED = "closed", _("an evening was closed")
        REOPENED = "reopened", _("an evening was opened again")
        RECORDED = "recorded", _("a deal was recorded late")
        REVISED = "revised", _("a deal was revised")
        VOIDED = "voided", _("a deal was voided")
        TOTALS = "totals", _("totals were recorded")
        FINISHED = "finished", _("a table was completed or reopened by hand")
        SEATS = "seats", _("players of a table were changed")
        HOUSE_RULES = "rules changed", _("the season's rules were changed")
        STANDINGS_RULES = "standings rules changed", _("the season's standings rules were changed")
        RATING_RULES = "rating rules", _("the game's rating rules were changed")
        ADJUSTED = "adjusted", _("points were given or taken away")
        MERGED = "merged", _("two records of one person were merged, or taken apart again")
        DELETED = "deleted", _("a club was deleted")
        IMPORTED = "imported", _("a club was taken in from its file")
        REPAIRED = "repaired", _("something was repaired by hand")
        ARITHMETIC = "arithmetic", _("the arithmetic changed")
        BUTTON = "button", _("an admin asked for it")

    season = models.ForeignKey("league.Season", models.CASCADE, null=True, related_name="pending_recomputes")
    game = models.SlugField(max_length=40, blank=True)
    date = models.DateField(null=True)
    not_before = models.DateTimeField(db_index=True)
    why = models.CharField(max_length=40, choices=Reason)
    marked_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = PendingRecomputeQuerySet.as_manager()

    class Meta:
        db_table = "league_due"  # the former name of the model
        verbose_name = _("pending recompute")
        constraints = [
            models.CheckConstraint(
                condition=Q(season__isnull=False, game="", date=None)
                | (Q(season=None, date__isnull=False) & ~Q(game="")),
                name="due_is_a_season_or_a_game_and_date",
            )
        ]

    def __str__(self) -> str:
        return f"{self.season or self.game} ({self.get_why_display()})"


def pending_work_exists(season_lookup: str = "pk") -> models.Exists:
    """Return the database expression for whether the season of a row has pending work. `season_lookup` leads from the
    row to the season's id.
    """
    return models.Exists(PendingRecompute.objects.filter(season=models.OuterRef(season_lookup)))
