"""A club's own games by totals: only the totals of a table are entered, and deals are not scored."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower, Mod
from django.db.models.lookups import Exact
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, visible_condition
from league.models.history import track_history
from players.models.person import Viewer
from scoring.totals.rules import MAX_CHECK_SUM

TOTALS = "totals"  # value of `Season.game` if the game is a ClubGame
MIN_SEATS, MAX_SEATS = 2, 12
# Fields that cannot be changed after the first results.
DEFINITION_FIELDS = ("min_seats", "max_seats", "two_sides", "low_wins", "check_sum", "check_per_deal")


def club_game_id(key: str) -> int | None:
    """Return the id of the ClubGame with this key, such as "totals-3"; None if the key belongs to another game."""
    prefix, _dash, number = key.partition("-")
    return int(number) if prefix == TOTALS and number.isdecimal() and len(number) < 19 else None


class ClubGameQuerySet(models.QuerySet["ClubGame"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(visible_condition(user, "club"))

    def managed_by(self, user: Viewer) -> Self:
        return self.filter(club__in=Club.objects.managed_by(user))


@track_history("ClubGameEvent")
class ClubGame(models.Model):
    """A game that a club defines. After the first results only its name can be changed."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="games")
    name = models.CharField(_("name"), max_length=40)
    min_seats = models.PositiveSmallIntegerField(
        _("fewest players at a table"), validators=[MinValueValidator(MIN_SEATS), MaxValueValidator(MAX_SEATS)]
    )
    max_seats = models.PositiveSmallIntegerField(
        _("most players at a table"), validators=[MinValueValidator(MIN_SEATS), MaxValueValidator(MAX_SEATS)]
    )
    two_sides = models.BooleanField(_("two sides"), default=False)
    low_wins = models.BooleanField(_("the lowest total wins"), default=False)
    # The required sum of the written totals of all sides; None: the sum is not checked.
    check_sum = models.IntegerField(
        _("check sum"),
        null=True,
        blank=True,
        validators=[MinValueValidator(-MAX_CHECK_SUM), MaxValueValidator(MAX_CHECK_SUM)],
    )
    check_per_deal = models.BooleanField(_("for each deal"), default=False)

    objects: ClassVar = ClubGameQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("game by totals")
        constraints = [
            models.UniqueConstraint("club", Lower("name"), name="club_game_name_once_a_club"),
            models.CheckConstraint(
                condition=Q(min_seats__gte=MIN_SEATS, max_seats__lte=MAX_SEATS, min_seats__lte=F("max_seats")),
                name="club_game_has_seats",
            ),
            models.CheckConstraint(
                condition=Q(two_sides=False) | Q(Exact(Mod("min_seats", 2), 0), Exact(Mod("max_seats", 2), 0)),
                name="club_game_sides_are_equal",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="club_game_has_a_name"),
            models.CheckConstraint(
                condition=Q(check_sum=None, check_per_deal=False)
                | Q(check_sum__isnull=False, check_sum__gte=-MAX_CHECK_SUM, check_sum__lte=MAX_CHECK_SUM),
                name="club_game_check_sum_is_possible",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:club-game", args=[self.pk])

    @property
    def key(self) -> str:
        """The game's key in ratings and URLs: "totals-3"."""
        return f"{TOTALS}-{self.pk}"

    @property
    def sizes(self) -> tuple[int, ...]:
        """The possible numbers of players at a table; only even numbers if two sides play."""
        return tuple(size for size in range(self.min_seats, self.max_seats + 1) if not (self.two_sides and size % 2))

    @property
    def options(self) -> dict[str, Any]:
        """The options for the scoring engine. A season of this game stores them as its house rules."""
        return {
            "two_sides": self.two_sides,
            "low_wins": self.low_wins,
            "check_sum": self.check_sum,
            "per_deal": self.check_per_deal,
        }
