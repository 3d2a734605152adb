"""What the next run has to do: marked by every writer in its own transaction."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.db.models import Min, Q
from django.utils.translation import gettext_lazy as _

from league.models.night_hour import next_night

if TYPE_CHECKING:
    from league.models.evening import Evening
    from league.models.season import Season


class DueManager(models.Manager["Due"]):
    """Marks are only added here; a run deletes exactly those that it read."""

    def mark(self, evening: Evening, *, not_before: datetime, why: str) -> None:
        """The evening's season, and its game's ratings from its date on. One statement."""
        self.bulk_create(
            [
                Due(season_id=evening.season_id, not_before=not_before, why=why),
                Due(game=evening.season.game, date=evening.date, not_before=not_before, why=why),
            ]
        )

    def mark_corrected(self, evening: Evening, *, now: datetime, why: str) -> None:
        """A closed evening's facts changed: due in the next night. An open one counts for nothing yet."""
        if evening.closed_at is not None:
            self.mark(evening, not_before=next_night(now), why=why)

    def mark_season(self, season: Season, *, not_before: datetime, why: str) -> None:
        """A season's standings alone."""
        self.create(season=season, not_before=not_before, why=why)

    def mark_whole(self, season: Season, *, not_before: datetime, why: str) -> None:
        """A season's standings, and its game's ratings from its first closed evening on."""
        self.mark_season(season, not_before=not_before, why=why)
        first = season.evenings.closed().aggregate(first=Min("date"))["first"]
        if first is not None:
            self.mark_game(season.game, first, not_before=not_before, why=why)

    def mark_game(self, game: str, date: date, *, not_before: datetime, why: str) -> None:
        """A game's ratings alone, from a date on."""
        self.create(game=game, date=date, not_before=not_before, why=why)


class Due(models.Model):
    """A season whose standings, or a game and date from which its ratings, are to be computed again."""

    season = models.ForeignKey("league.Season", models.CASCADE, null=True, related_name="dues")
    game = models.SlugField(max_length=40, blank=True)
    date = models.DateField(null=True)
    not_before = models.DateTimeField(db_index=True)
    why = models.CharField(max_length=40)
    marked_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = DueManager()

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
