from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from league.models.club import Club


class RunQuerySet(models.QuerySet["Run"]):
    def for_club(self, club: Club) -> Self:
        """Return the runs that computed seasons of the club, or found pending work for them."""
        row = [{"club": club.pk}]
        return self.filter(Q(seasons__contains=row) | Q(due__contains=row))


class Run(models.Model):
    """One recompute of all pending work. Each of its jobs computes some seasons, or one game."""

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    class Trigger(models.TextChoices):
        NIGHT = "night", _("Night")
        CLOSING = "closing", _("Closing of an evening")
        CHANGE = "change", _("Change of rules or records")
        BUTTON = "button", _("By an admin")
        COMMAND = "command", _("By command")

    state = models.CharField(max_length=7, choices=State, default=State.RUNNING)
    trigger = models.CharField(max_length=7, choices=Trigger)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    due = models.JSONField(default=list)  # copies of the PendingRecompute rows
    # Lists of dicts with these keys. "places" is the number of rows in the standings, "tables" and "players" are the
    # numbers of rated tables and players, "changed" is the number of changed rows. "died": the error was WorkerDied.
    seasons = models.JSONField(default=list)  # "season", "club", "name", "places", "changed"
    games = models.JSONField(default=list)  # "game", "tables", "players", "changed"
    failed = models.JSONField(default=list)  # "season" (or None), "club", "name", "game", "error", "died"
    error = models.TextField(blank=True)

    objects: ClassVar = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-started_at", "-pk"]
        verbose_name = _("run")
        constraints = [
            models.UniqueConstraint(fields=["state"], condition=Q(state="running"), name="run_one_at_a_time")
        ]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M} {self.get_state_display()}"

    def get_absolute_url(self) -> str:
        return reverse("league:run", args=[self.pk])


class RankChange(models.Model):
    """The change of a player's rank by a recompute run, in the standings of a season or the ratings of a game.

    A rank is None if the player was not ranked before, or is not ranked any more.
    """

    # No foreign key constraints: a run writes many rows, and checking the constraints would be slow.
    run = models.ForeignKey(Run, models.CASCADE, related_name="rank_changes", db_constraint=False)
    season = models.ForeignKey("league.Season", models.CASCADE, null=True, related_name="+", db_constraint=False)
    game = models.SlugField(max_length=40, blank=True, db_index=False)
    player = models.ForeignKey("players.Player", models.CASCADE, related_name="rank_changes", db_constraint=False)
    rank_before = models.PositiveIntegerField(null=True)
    rank_after = models.PositiveIntegerField(null=True)
    # Points in a season, with six decimals; or a rating in micro-points.
    before = models.DecimalField(max_digits=30, decimal_places=6, null=True)
    after = models.DecimalField(max_digits=30, decimal_places=6, null=True)

    objects: ClassVar[models.Manager[RankChange]] = models.Manager()

    class Meta:
        db_table = "league_movement"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=(Q(season__isnull=False, game="")) | (Q(season=None) & ~Q(game="")),
                name="movement_is_in_a_season_or_a_game",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.before} → {self.after}"
