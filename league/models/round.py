from __future__ import annotations

from typing import ClassVar, Self

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from league.models.evening import Evening
from players.models.person import Reader


class RoundState(models.TextChoices):
    """The seats of a planned round may still change; an accepted round is or was played."""

    PLANNED = "planned", _("Planned")
    ACCEPTED = "accepted", _("Accepted")


class RoundQuerySet(models.QuerySet["Round"]):
    def visible_to(self, user: Reader) -> Self:
        return self.filter(evening__in=Evening.objects.visible_to(user))

    def recordable_by(self, user: Reader) -> Self:
        return self.filter(evening__in=Evening.objects.recordable_by(user))

    def with_evening(self) -> Self:
        return self.select_related("evening__season__club")

    def accepted(self) -> Self:
        return self.filter(state=RoundState.ACCEPTED)

    def planned(self) -> Self:
        return self.filter(state=RoundState.PLANNED)


class Round(models.Model):
    """One seating of an evening's tables. Rounds are numbers, not times: a fast table's second game is round 2."""

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
    """Why a player rests: no free seat, or exempt with points."""

    RESTING = "resting", _("Resting")
    EXEMPT = "exempt", _("Exempt")


class RestQuerySet(models.QuerySet["Rest"]):
    def counted(self) -> Self:
        """Points of exempt rests in accepted rounds count in the evening."""
        return self.filter(kind=RestKind.EXEMPT, round__state=RoundState.ACCEPTED)

    def all_evening(self) -> Self:
        seats = apps.get_model("league", "Seat")._default_manager.filter(
            round__evening=OuterRef("round__evening"), round__state=RoundState.ACCEPTED, player=OuterRef("player")
        )
        resting = self.filter(kind=RestKind.RESTING, round__state=RoundState.ACCEPTED)
        return resting.filter(~Exists(seats))


class Rest(models.Model):
    """A player who sits a round out; the points of an exempt player count in the evening."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="rests")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="rests")
    kind = models.CharField(max_length=7, choices=RestKind, default=RestKind.RESTING)
    points = models.IntegerField(default=0)

    objects: ClassVar = models.Manager.from_queryset(RestQuerySet)()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="rest_once_a_round"),
            models.CheckConstraint(condition=Q(kind__in=RestKind.values), name="rest_kind_is_known"),
            models.CheckConstraint(
                condition=Q(kind=RestKind.EXEMPT) | Q(points=0), name="rest_points_only_when_exempt"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"
