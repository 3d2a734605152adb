"""A list of results that a worker brings in."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import visible_to
from league.models.season import Season
from players.models.person import Reader


class ImportState(models.TextChoices):
    """Where it stands: nothing of it is there before it is done."""

    WAITING = "waiting", _("Waiting")
    DONE = "done", _("Done")
    REFUSED = "refused", _("Refused")


class ResultImportQuerySet(models.QuerySet["ResultImport"]):
    """Lists by who may see them, and whether they are still to come in."""

    def visible_to(self, user: Reader) -> Self:
        """Return those of seasons that the user may see."""
        return self.filter(visible_to(user, "season__club"))

    def managed_by(self, user: Reader) -> Self:
        """Return those of seasons that the user may set up."""
        return self.filter(season__in=Season.objects.managed_by(user))

    def with_season(self) -> Self:
        """Fetch season and club as well."""
        return self.select_related("season__club")

    def waiting(self) -> Self:
        """Return those that are to come in, or are just coming in."""
        return self.filter(state=ImportState.WAITING)


class ResultImport(models.Model):
    """A list that is too long to be brought in while somebody waits for a page.

    `chosen` fills in the form of its columns, `answers` are about people. Its state becomes another in the
    transaction that brings it in; then its text is forgotten. `attempts` counts how often it was begun.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="imports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    deals = models.BooleanField()
    text = models.TextField(blank=True)
    chosen = models.JSONField(default=dict)
    answers = models.JSONField(default=dict)
    as_counted = models.BooleanField(default=False)
    state = models.CharField(max_length=7, choices=ImportState, default=ImportState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    same = models.PositiveIntegerField(default=0)
    left_out = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    objects: ClassVar = ResultImportQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("list of results")
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ImportState.values), name="import_state_is_known"),
            models.CheckConstraint(
                condition=Q(state=ImportState.WAITING, ended_at=None)
                | (~Q(state=ImportState.WAITING) & Q(ended_at__isnull=False, text="")),
                name="import_ended_has_its_time_and_no_text",
            ),
        ]

    def __str__(self) -> str:
        return _("List of results %(number)s") % {"number": self.pk}

    def get_absolute_url(self) -> str:
        return reverse("league:results-import", args=[self.pk])
