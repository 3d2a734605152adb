from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import readable_condition
from league.models.season import Season
from players.models.person import Viewer


class RulesDraftQuerySet(models.QuerySet["RulesDraft"]):
    def visible_to(self, user: Viewer) -> Self:
        """Return the drafts that the user may see: members of the club see the shown drafts, its admins see all.

        Visitors of a public club see none. A draft is a proposal on which the members may vote.
        """
        shown = Q(is_shown=True) & readable_condition(user, "season__club")
        return self.filter(shown | Q(season__in=Season.objects.managed_by(user)))

    def managed_by(self, user: Viewer) -> Self:
        return self.filter(season__in=Season.objects.managed_by(user))

    def with_season(self) -> Self:
        return self.select_related("season__club")


class RulesDraft(models.Model):
    """A named draft of standings rules, which a season may adopt later. It does not affect the season's standings."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="rules_drafts")
    name = models.CharField(_("name"), max_length=60)
    rules = models.JSONField(_("standings rules"))
    is_shown = models.BooleanField(_("shown to members"), default=False)
    written_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = RulesDraftQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("draft of rules")
        constraints = [models.UniqueConstraint(fields=["season", "name"], name="rules_draft_name_once_a_season")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the page of all drafts of the season. A draft has no page of its own."""
        return reverse("league:rules-drafts", args=[self.season_id])
