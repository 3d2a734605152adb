"""Ratings and their history: derived each night, written only by `Rating.objects.replace`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.derived import Moved, replace_rows
from players.models.person import Player


class RatingManager(models.Manager["Rating"]):
    """The door for a game's ratings: the ratings, their history and who met whom, all at once."""

    @transaction.atomic
    def replace(self, game: str, ratings: Iterable[Rating], steps: Iterable[RatingStep], met: Iterable[Met]) -> Moved:
        """Make everything stored of the game's ratings equal to these. The night's claim keeps others out."""
        replace_rows(Met.objects.filter(game=game), met, Met.KEY, Met.DERIVED)
        replace_rows(RatingStep.objects.filter(game=game), steps, RatingStep.KEY, RatingStep.DERIVED)
        return replace_rows(self.filter(game=game), ratings, Rating.KEY, Rating.DERIVED)


class Rating(models.Model):
    """A player's rating in a game. `micro` is in micro-points (1000 points = 1_000_000_000), `weight` thousandths."""

    KEY = ("game", "player_id")
    DERIVED = ("micro", "weight", "tables", "dates", "opponents", "provisional", "last_date")

    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings")
    game = models.SlugField(max_length=40)
    micro = models.BigIntegerField()
    weight = models.BigIntegerField()  # RATINGS.md's n
    tables = models.PositiveIntegerField()
    dates = models.PositiveIntegerField()
    opponents = models.PositiveIntegerField()
    provisional = models.BooleanField()
    last_date = models.DateField()

    objects: ClassVar = RatingManager()

    class Meta:
        ordering = ["game", "-micro", "player"]
        verbose_name = _("rating")
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="rating_once_a_game")]
        indexes = [models.Index(fields=["game", "-micro"], name="rating_by_game")]

    def __str__(self) -> str:
        return f"{self.player} {self.game} {self.micro / 1_000_000:.0f}"

    @property
    def points(self) -> float:
        """The rating in points, for showing."""
        return self.micro / 1_000_000


class RatingStep(models.Model):
    """What a player's rating was after a date: the history, and the checkpoint to resume from."""

    KEY = ("game", "player_id", "date")
    DERIVED = ("micro", "weight", "tables", "dates", "opponents")

    player = models.ForeignKey(Player, models.CASCADE, related_name="rating_steps")
    game = models.SlugField(max_length=40)
    date = models.DateField()
    micro = models.BigIntegerField()
    weight = models.BigIntegerField()
    tables = models.PositiveIntegerField()
    dates = models.PositiveIntegerField()
    opponents = models.PositiveIntegerField()

    class Meta:
        ordering = ["game", "date", "player"]
        constraints = [models.UniqueConstraint(fields=["player", "game", "date"], name="rating_step_once_a_date")]
        indexes = [models.Index(fields=["game", "date"], name="rating_step_by_date")]

    def __str__(self) -> str:
        return f"{self.player} {self.game} {self.date}"

    @property
    def points(self) -> float:
        """The rating in points, for showing."""
        return self.micro / 1_000_000


class Met(models.Model):
    """The first date on which two players of a game were opponents."""

    KEY = ("game", "first_id", "second_id")
    DERIVED = ("date",)

    game = models.SlugField(max_length=40)
    first = models.ForeignKey(Player, models.CASCADE, related_name="+")
    second = models.ForeignKey(Player, models.CASCADE, related_name="+")
    date = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "first", "second"], name="met_once_a_game"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="met_lower_id_first"),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"


class RatingRules(models.Model):
    """Which equation a game is rated by, where the installation's admin chose another than the game's own."""

    class Kind(models.TextChoices):
        PUBLISHED = "published", _("Published by the game's author")
        CLUB = "club", _("Club: small stakes")

    game = models.SlugField(max_length=40, unique=True)
    rules = models.CharField(max_length=9, choices=Kind)

    objects: ClassVar[models.Manager[RatingRules]] = models.Manager()

    class Meta:
        verbose_name = _("rating rules")
        verbose_name_plural = _("rating rules")
        constraints = [
            models.CheckConstraint(condition=Q(rules__in=["published", "club"]), name="rating_rules_are_known")
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.get_rules_display()}"
