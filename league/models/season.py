from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, visible_condition
from league.models.club_game import TOTALS, ClubGame
from league.models.history import track_history
from league.models.table_limits import MAX_TABLE_POINTS
from players.models import Player
from players.models.person import Viewer
from scoring.game import find_game
from scoring.registry import UnknownGame

N = TypeVar("N", int, Fraction, Decimal, float, int | Fraction, int | Decimal)
WORTHS_IN_POINTS = ("points", "average")  # values of the rule `worth` that count the points of the score sheets
MAX_TEAM_SIZE = 4  # players
MIN_RESTING_TABLE_SIZE = 4  # minimum seats of a table with a resting player


class SeasonState(models.TextChoices):
    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Open")
    CLOSED = "closed", _("Closed")


class TableEnd(models.TextChoices):
    """The event that ends a table: it makes the table complete."""

    DEALS = "deals", _("After a number of deals")
    TARGET = "target", _("At a number of points, with one leader")
    MINUTES = "minutes", _("After a time")
    MANUAL = "hand", _("When the secretary says so")


class DrawMethod(models.TextChoices):
    MEET_MOST = "meet", _("Everyone meets as many others as possible")
    RANKING = "ranking", _("The first round by lot, then first against second, third against fourth")


class PartnerDuration(models.TextChoices):
    """How long drawn partners play together. Pairs that registered together always play together."""

    ROUND = "round", _("Drawn anew each round")
    EVENING = "evening", _("Drawn once, together all evening")


class RestScore(models.TextChoices):
    """The rule for a player's points in a round without a seat (a rest)."""

    NONE = "none", _("Nothing")
    FIXED = "fixed", _("A fixed number of points")
    MEAN = "mean", _("The mean of the round")
    CATCH_UP = "catch_up", _("The points of a catch-up game")


class EarlyLeaverRanking(models.TextChoices):
    """How the standings of an evening rank players who left early."""

    RANKED = "ranked", _("Like everyone else")
    LAST = "last", _("After those who stayed")


ENDS_WITH_NUMBER = (TableEnd.DEALS, TableEnd.TARGET, TableEnd.MINUTES)


class SeasonQuerySet(models.QuerySet["Season"]):
    def not_frozen(self) -> Self:
        """Exclude closed seasons: their standings are stored and are no longer computed."""
        return self.filter(closing=None)

    def frozen_with_player(self, player: Player) -> Self:
        """Return the closed seasons where the player has a standing. Closed seasons are no longer computed."""
        return self.filter(closing__isnull=False, pk__in=player.standings.values("season"))

    def visible_to(self, user: Viewer) -> Self:
        return self.filter(visible_condition(user, "club"))

    def managed_by(self, user: Viewer) -> Self:
        return self.filter(club__in=Club.objects.managed_by(user))

    def recordable_by(self, user: Viewer) -> Self:
        return self.filter(club__in=Club.objects.recordable_by(user))

    def running(self) -> Self:
        return self.filter(state=SeasonState.OPEN)

    def with_club(self) -> Self:
        return self.select_related("club", "club_game")

    def without_tournaments(self) -> Self:
        """Exclude the seasons that belong to a tournament (each tournament has one)."""
        return self.filter(tournament=None)


@track_history("SeasonEvent", exclude=["game_key"])
class Season(models.Model):
    """Evenings of one game whose results count together. `game` is the slug of a game, `house_rules` are options of its
    rules.

    `typing` is the game's alternative way to type facts (JSON of what happened), or "". For a club's own game by
    totals, `club_game` is the game, and `house_rules` are the game's options. `game_key` is the key of the ratings. The
    forms check these values.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    game = models.SlugField(_("game"), max_length=40)
    club_game = models.ForeignKey(ClubGame, models.RESTRICT, null=True, blank=True, related_name="seasons")
    tournament = models.OneToOneField(
        "league.Tournament", models.CASCADE, null=True, editable=False, related_name="season"
    )
    game_key = models.GeneratedField(
        expression=models.Case(
            models.When(club_game=None, then=models.F("game")),
            default=Concat(models.Value(f"{TOTALS}-"), Cast("club_game", models.CharField(max_length=20))),
        ),
        output_field=models.SlugField(max_length=40, db_index=False),
        db_persist=True,
    )
    state = models.CharField(_("state"), max_length=6, choices=SeasonState, default=SeasonState.DRAFT)
    house_rules = models.JSONField(_("house rules"), default=dict, blank=True)
    typing = models.CharField(_("way of typing"), max_length=20, blank=True, default="")
    standings_rules = models.JSONField(_("standings rules"), default=dict, blank=True)
    planned_evenings = models.PositiveSmallIntegerField(
        _("evenings of the season"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    table_sizes = ArrayField(
        models.PositiveSmallIntegerField(validators=[MinValueValidator(2), MaxValueValidator(12)]),
        verbose_name=_("table sizes"),
    )
    fifth_rests = models.BooleanField(
        _("one rests at the largest tables"),
        default=False,
        help_text=_("One player sits each deal out, in turn: usually the dealer."),
    )
    end = models.CharField(_("a table ends"), max_length=7, choices=TableEnd, default=TableEnd.DEALS)
    end_number = models.PositiveIntegerField(
        _("number of deals, points or minutes"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    count_passed = models.BooleanField(
        _("passed and replayed deals count"),
        default=True,
        help_text=_("Otherwise they are dealt again, and a table plays its number of other deals."),
    )
    contest_hours = models.PositiveSmallIntegerField(
        _("hours until results are final"), default=48, validators=[MaxValueValidator(24 * 60)]
    )
    rounds = models.PositiveSmallIntegerField(
        _("rounds of an evening"), default=4, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    draw = models.CharField(_("draw"), max_length=7, choices=DrawMethod, default=DrawMethod.MEET_MOST)
    partners = models.CharField(_("partners"), max_length=7, choices=PartnerDuration, default=PartnerDuration.ROUND)
    exempt_points = models.IntegerField(
        _("points of an exempt round"),
        default=0,
        validators=[MinValueValidator(-MAX_TABLE_POINTS), MaxValueValidator(MAX_TABLE_POINTS)],
        help_text=_("For who would play and finds no table."),
    )
    rest_score = models.CharField(_("a rest scores"), max_length=8, choices=RestScore, default=RestScore.NONE)
    rest_points = models.IntegerField(
        _("points of a rest"),
        null=True,
        blank=True,
        validators=[MinValueValidator(-MAX_TABLE_POINTS), MaxValueValidator(MAX_TABLE_POINTS)],
    )
    team_best = models.PositiveSmallIntegerField(
        _("players of a team that count on an evening"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_TEAM_SIZE)],
        help_text=_("The best of them. Empty: all."),
    )
    leavers = models.CharField(
        _("who leaves early"), max_length=6, choices=EarlyLeaverRanking, default=EarlyLeaverRanking.RANKED
    )
    founded_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = SeasonQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("season")
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name"], condition=Q(tournament=None), name="season_name_once_a_club"
            ),
            models.CheckConstraint(condition=Q(state__in=SeasonState.values), name="season_state_is_known"),
            models.CheckConstraint(condition=Q(draw__in=DrawMethod.values), name="season_draw_is_known"),
            models.CheckConstraint(condition=Q(partners__in=PartnerDuration.values), name="season_partners_is_known"),
            models.CheckConstraint(condition=Q(leavers__in=EarlyLeaverRanking.values), name="season_leavers_is_known"),
            models.CheckConstraint(condition=Q(rest_score__in=RestScore.values), name="season_rest_score_is_known"),
            models.CheckConstraint(
                condition=Q(rest_score=RestScore.FIXED, rest_points__isnull=False)
                | (~Q(rest_score=RestScore.FIXED) & Q(rest_points=None)),
                name="season_rest_score_has_its_number",
            ),
            models.CheckConstraint(
                condition=Q(team_best=None) | Q(team_best__range=(1, MAX_TEAM_SIZE)), name="season_team_best_in_range"
            ),
            models.CheckConstraint(condition=Q(rounds__gte=1), name="season_has_rounds"),
            models.CheckConstraint(
                # A check constraint accepts NULL, so the condition needs an explicit "not null".
                condition=Q(end__in=ENDS_WITH_NUMBER, end_number__isnull=False, end_number__gte=1)
                | Q(end=TableEnd.MANUAL, end_number=None),
                name="season_end_has_its_number",
            ),
            models.CheckConstraint(
                condition=Q(game=TOTALS, club_game__isnull=False) | (~Q(game=TOTALS) & Q(club_game=None)),
                name="season_of_totals_has_its_game",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        if self.tournament_id is not None:
            return reverse("league:tournament", args=[self.tournament_id])
        return reverse("league:season", args=[self.pk])

    @property
    def read_only_reason(self) -> str:
        return gettext("The season is closed. Open it first.") if self.state == SeasonState.CLOSED else ""

    @property
    def resting_size(self) -> int | None:
        """The size of the tables where one player sits out each deal; None if there are no such tables."""
        return max(self.table_sizes) if self.fifth_rests else None

    @property
    def low_wins(self) -> bool:
        """Whether the lowest written total wins. Then `Seat.points` is the written total with the opposite sign."""
        return self.game == TOTALS and bool(self.house_rules.get("low_wins"))

    def convert_points(self, points: N) -> N:
        """Convert points to a written total, or back: the sign changes if the lowest total wins."""
        return -points if self.low_wins else points

    @property
    def low_total_wins(self) -> bool:
        """Whether the lowest displayed total of the standings is the best. Rules that can't be read add points."""
        rules: Any = self.standings_rules
        worth = rules.get("worth") if isinstance(rules, dict) else None
        return self.is_low_total_best(worth.get("by", "points") if isinstance(worth, dict) else "points")

    def is_low_total_best(self, worth: str) -> bool:
        """Return whether the lowest displayed total is the best, if this is the rule for the worth of an evening:
        `low_wins` is true, and the standings add points.
        """
        return self.low_wins and worth in WORTHS_IN_POINTS

    def convert_total(self, total: N) -> N:
        """Return the total of the standings, or of an evening, as it is displayed: with the opposite sign if the lowest
        total wins.
        """
        return -total if self.low_total_wins else total

    @property
    def game_title(self) -> str:
        if self.club_game:
            return self.club_game.name
        try:
            return str(find_game(self.game).name)
        except UnknownGame:  # it was removed from this installation
            return self.game.replace("-", " ").title()
