"""Rounds of an evening, and who sits one out."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.evening import Evening


class RoundState(models.TextChoices):
    """A round's seats may still change, or are what was played."""

    PLANNED = "planned", _("Planned")
    ACCEPTED = "accepted", _("Accepted")


class Round(models.Model):
    """One sitting of an evening's tables. A number, not a time: a fast table's second game is round 2."""

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, choices=RoundState, default=RoundState.ACCEPTED)

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
    """Why someone sits a round out."""

    RESTING = "resting", _("Resting")
    EXEMPT = "exempt", _("Exempt")


class Rest(models.Model):
    """A player who sits a round out; an exempt one's points count in the evening."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="rests")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="rests")
    kind = models.CharField(max_length=7, choices=RestKind, default=RestKind.RESTING)
    points = models.IntegerField(default=0)

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
