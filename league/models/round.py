from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Self

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from league.models.evening import Evening
from league.models.season import RestScore
from league.models.table_limits import MAX_TABLE_POINTS
from players.models.person import Viewer

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class RoundState(models.TextChoices):
    """The states of a round. The seats of a planned round may still change; an accepted round is or was played."""

    PLANNED = "planned", _("Planned")
    ACCEPTED = "accepted", _("Accepted")


class RoundQuerySet(models.QuerySet["Round"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(evening__in=Evening.objects.visible_to(user))

    def recordable_by(self, user: Viewer) -> Self:
        return self.filter(evening__in=Evening.objects.recordable_by(user))

    def with_evening(self) -> Self:
        return self.select_related("evening__season__club")

    def accepted(self) -> Self:
        return self.filter(state=RoundState.ACCEPTED)

    def planned(self) -> Self:
        return self.filter(state=RoundState.PLANNED)


class Round(models.Model):
    """One seating of an evening's tables. A round is no period of time: the second game of a fast table belongs to
    round 2.
    """

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, choices=RoundState, default=RoundState.ACCEPTED)

    objects: ClassVar = models.Manager.from_queryset(RoundQuerySet)()

    class Meta:
        ordering = ["number"]
        verbose_name = _("round")
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="round_number_once_an_evening"),
            models.CheckConstraint(condition=Q(state__in=RoundState.values), name="round_state_is_known"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_numbers_from_one"),
        ]

    def __str__(self) -> str:
        return _("Round %(number)s") % {"number": self.number}


class RestKind(models.TextChoices):
    """Why a player has no seat in a round: RESTING if no seat is free, EXEMPT if the player gets points for it."""

    RESTING = "resting", _("Resting")
    EXEMPT = "exempt", _("Exempt")


class RestQuerySet(models.QuerySet["Rest"]):
    def counted(self) -> Self:
        """Return the rests whose points count for the evening, in accepted rounds: exempt players, and rests with
        deals.
        """
        return self.filter(Q(kind=RestKind.EXEMPT) | Q(deals__gt=0), round__state=RoundState.ACCEPTED)

    def with_computed_points(self) -> Self:
        """Return the rests whose points are computed by a rule of the season (all settings except `none`)."""
        return self.exclude(score=RestScore.NONE)

    def catch_up(self) -> Self:
        return self.filter(score=RestScore.CATCH_UP)

    def sat_out_evening(self) -> Self:
        """Return the rests of players who rested in every accepted round: they had no seat and were never exempt."""
        seats = apps.get_model("league", "Seat")._default_manager.filter(
            round__evening=OuterRef("round__evening"), round__state=RoundState.ACCEPTED, player=OuterRef("player")
        )
        accepted = self.filter(round__state=RoundState.ACCEPTED)
        exempt = accepted.filter(
            kind=RestKind.EXEMPT, round__evening=OuterRef("round__evening"), player=OuterRef("player")
        )
        return accepted.filter(~Exists(seats), ~Exists(exempt), kind=RestKind.RESTING)


REST_REASONS: Final[dict[str, StrPromise]] = {
    RestScore.FIXED: _("fixed points"),
    RestScore.MEAN: _("mean of the round"),
    RestScore.CATCH_UP: _("catch-up game"),
}


class Rest(models.Model):
    """A player who sits out a round. `score` is the season's rule for the points of a rest, copied when the round was
    drawn.

    `written` is the number of points as score sheets write them: the fixed number of the rule, or the points of a
    catch-up game when they are entered. `points` and `deals` are computed when the round is complete, and 0 before. A
    rest with deals counts as played. With the rule `none`, an exempt player gets the season's points for an exempt
    round, and no deals.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="rests")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="rests")
    kind = models.CharField(max_length=7, choices=RestKind, default=RestKind.RESTING)
    score = models.CharField(max_length=8, choices=RestScore, default=RestScore.NONE)
    written = models.IntegerField(null=True, blank=True)
    points = models.IntegerField(default=0)
    deals = models.PositiveSmallIntegerField(default=0, editable=False)

    objects: ClassVar = models.Manager.from_queryset(RestQuerySet)()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="rest_once_a_round"),
            models.CheckConstraint(condition=Q(kind__in=RestKind.values), name="rest_kind_is_known"),
            models.CheckConstraint(condition=Q(score__in=RestScore.values), name="rest_score_is_known"),
            models.CheckConstraint(
                condition=Q(score=RestScore.FIXED, written__isnull=False)
                | Q(score=RestScore.CATCH_UP)
                | (~Q(score__in=(RestScore.FIXED, RestScore.CATCH_UP)) & Q(written=None)),
                name="rest_score_has_its_number",
            ),
            models.CheckConstraint(
                condition=Q(written=None) | Q(written__range=(-MAX_TABLE_POINTS, MAX_TABLE_POINTS)),
                name="rest_written_in_range",
            ),
            models.CheckConstraint(
                condition=Q(deals__gt=0) | Q(score=RestScore.NONE, kind=RestKind.EXEMPT) | Q(points=0),
                name="rest_points_have_a_reason",
            ),
            models.CheckConstraint(condition=Q(deals=0) | ~Q(score=RestScore.NONE), name="rest_deals_only_when_scored"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"

    @property
    def reason(self) -> StrPromise | str:
        """The rule behind the points as a few words, such as "catch-up game"; "" if no rule applies."""
        return REST_REASONS.get(self.score, "")

    @property
    def is_catch_up(self) -> bool:
        return self.score == RestScore.CATCH_UP

    @property
    def lacks_points(self) -> bool:
        """Whether the points of a catch-up game (a game of a player who rested) have not been entered yet."""
        return self.is_catch_up and self.written is None
