from __future__ import annotations

from typing import ClassVar, Final, Self

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, visible_condition
from league.models.season import MAX_TEAM_SIZE, Season
from players.models.person import Viewer

TEAM_SIZES: Final = (2, MAX_TEAM_SIZE)


class TeamQuerySet(models.QuerySet["Team"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(visible_condition(user, "season__club"))

    def managed_by(self, user: Viewer) -> Self:
        return self.filter(season__club__in=Club.objects.managed_by(user))

    def with_season(self) -> Self:
        return self.select_related("season__club", "season__club_game")

    def with_members(self) -> Self:
        members = TeamMember.objects.select_related("player").order_by("player__sort_key", "pk")
        return self.prefetch_related(models.Prefetch("members", members))


class Team(models.Model):
    """A team of two or four players in a season. Their points are added; they never share a table."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="teams")
    name = models.CharField(_("name of the team"), max_length=60)

    objects: ClassVar = models.Manager.from_queryset(TeamQuerySet)()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints = [
            models.UniqueConstraint(fields=["season", "name"], name="team_name_once_a_season"),
            models.CheckConstraint(condition=~Q(name=""), name="team_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:team", args=[self.pk])


class TeamMember(models.Model):
    """A player of a team. `season` repeats the team's season, for the constraint that a player has one team in a
    season.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    season = models.ForeignKey(Season, models.CASCADE, related_name="team_members")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="team_memberships")

    objects: ClassVar[models.Manager[TeamMember]] = models.Manager()

    class Meta:
        verbose_name = _("member of a team")
        verbose_name_plural = _("members of teams")
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="team_member_once_a_season")]

    def __str__(self) -> str:
        return str(self.player)
