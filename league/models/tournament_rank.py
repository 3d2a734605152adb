"""The final ranks of finished tournaments. They are stored, so that a player's page need not compute rankings."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import ExpressionWrapper, F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.club import readable_condition
from league.models.prize import WHOLE_UNIT
from league.models.tournament import MAX_UNIT_SIZE, Tournament, TournamentUnit, UnitPlayer
from players.models.person import Player, Viewer


class TournamentRankQuerySet(models.QuerySet["TournamentRank"]):
    def visible_to(self, user: Viewer) -> Self:
        """Return ranks in tournaments that the user may see, also of units (players, pairs or teams) whose names the
        user may not see.
        """
        return self.filter(tournament__in=Tournament.objects.visible_to(user).order_by().values("pk"))

    def with_is_named(self, user: Viewer) -> Self:
        """Add `is_named`: whether the page of the ranking shows the unit's names to this user."""
        may_be_named = Q(unit__names_public=True) | readable_condition(user, "tournament__club")
        output = models.BooleanField()
        return self.annotate(
            is_named=models.Value(True) if user.is_superuser else ExpressionWrapper(may_be_named, output)
        )

    def of_player(self, player: Player) -> Self:
        """Return the ranks of a player's units, or the player's own ranks if team mates played at different tables."""
        own_row = Q(position=WHOLE_UNIT) | Q(position=F("unit__players__position"))
        return self.filter(own_row, unit__players__player=player)

    def latest_first(self) -> Self:
        return self.order_by("-tournament__date", "-tournament", "rank", "unit__number", "position")

    def with_units(self) -> Self:
        """Fetch the rows with tournaments, clubs, units and the units' players, by two queries."""
        players = UnitPlayer.objects.select_related("player").order_by("position")
        rows = self.select_related("tournament__club", "unit")
        return rows.prefetch_related(models.Prefetch("unit__players", players))


class TournamentRank(models.Model):
    """A competitor's rank in a finished tournament. A competitor is a unit, or a player if team mates played at
    different tables.

    The rows are computed from the results (`actions/tournament_ranks.py`). `position` is the player's position in the
    unit, 0 for the whole unit. `score_halves` is the score as on the score sheets, in half points. `competitors` is the
    number of ranked units or players.
    """

    # The fields that identify a row, and the computed fields, which `verify` computes again.
    KEY = ("unit_id", "position")
    DERIVED = ("tournament_id", "rank", "score_halves", "competitors")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="ranks")
    unit = models.ForeignKey(TournamentUnit, models.CASCADE, related_name="ranks")
    position = models.PositiveSmallIntegerField(default=WHOLE_UNIT)
    rank = models.PositiveSmallIntegerField()
    score_halves = models.BigIntegerField()
    competitors = models.PositiveSmallIntegerField()

    is_named: bool  # set by `with_is_named`

    objects: ClassVar = TournamentRankQuerySet.as_manager()

    class Meta:
        ordering = ["tournament", "rank", "unit", "position"]
        verbose_name = _("rank in a tournament")
        verbose_name_plural = _("ranks in tournaments")
        constraints = [
            models.UniqueConstraint(fields=["unit", "position"], name="tournament_rank_once"),
            models.CheckConstraint(
                condition=Q(rank__gte=1, rank__lte=F("competitors")), name="tournament_rank_is_one_of_the_competitors"
            ),
            models.CheckConstraint(
                condition=Q(position__lte=MAX_UNIT_SIZE), name="tournament_rank_position_is_of_unit"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.rank}"

    @property
    def score(self) -> int | float:
        return self.score_halves / 2 if self.score_halves % 2 else self.score_halves // 2

    @property
    def members(self) -> list[UnitPlayer]:
        """The players who have this rank. Fetch the rows by `with_units`."""
        return [entry for entry in self.unit.members if self.position in (WHOLE_UNIT, entry.position)]

    @property
    def title(self) -> str:
        """The name of the unit or player. Fetch the rows by `with_units`."""
        return self.unit.title if self.position == WHOLE_UNIT else str(self.members[0])

    @property
    def visible_title(self) -> str:
        """The name of the unit or player; the number if the viewer may not see the names. Needs `with_is_named`."""
        if self.is_named:
            return self.title
        return gettext("Number %(number)s") % {"number": self.unit.number}
