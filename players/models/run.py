"""What the night did: one row a run, kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from league.models import Club


class RunQuerySet(models.QuerySet["Run"]):
    """Runs by what they touched."""

    def of_club(self, club: Club) -> Self:
        """Runs that computed one of the club's seasons."""
        return self.filter(seasons__contains=[{"club": club.pk}])


class Run(models.Model):
    """One run of the nightly work."""

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    class Trigger(models.TextChoices):
        NIGHT = "night", _("Night")
        CLOSING = "closing", _("Closing of an evening")
        BUTTON = "button", _("By an admin")
        COMMAND = "command", _("By command")

    state = models.CharField(max_length=7, choices=State, default=State.RUNNING)
    trigger = models.CharField(max_length=7, choices=Trigger)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    due = models.JSONField(default=list)  # what was waiting, and why
    seasons = models.JSONField(default=list)  # [{"season", "club", "name", "places", "changed"}]
    games = models.JSONField(default=list)  # [{"game", "tables", "players", "changed"}]
    error = models.TextField(blank=True)

    objects: ClassVar = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-started_at", "-pk"]
        verbose_name = _("run")

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M} {self.get_state_display()}"

    def get_absolute_url(self) -> str:
        return reverse("players:run", args=[self.pk])
