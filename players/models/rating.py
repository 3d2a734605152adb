"""Ratings and their history. The rows are computed each night, and written only by players/rating_writer.py."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import ClassVar

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.columns import Columns
from players.models.person import Player
from players.rating.expectation import MICRO_POINTS_PER_POINT
from players.rating.state import History, StateArrays, dates_of, provisional_flags


class Rating(models.Model):
    """A player's present rating in a game.

    `micro` is the rating in micro-points (a rating of 1000 is 1_000_000_000). `weight` is the weighted number of rated
    tables, in thousandths.
    """

    # As in the other models here: the columns that identify a row, and the computed columns, which `verify` compares.
    KEY = ("game", "player_id")
    DERIVED = ("micro", "weight", "tables", "dates", "opponents", "provisional", "last_date")

    # No index of its own: constraint and index below begin with these fields, and each index doubles the write time.
    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", db_index=False)
    game = models.SlugField(max_length=40, db_index=False)
    micro = models.BigIntegerField()
    weight = models.BigIntegerField()  # RATINGS.md's n
    tables = models.PositiveIntegerField()
    dates = models.PositiveIntegerField()
    opponents = models.PositiveIntegerField()
    provisional = models.BooleanField()
    last_date = models.DateField()

    objects: ClassVar[models.Manager[Rating]] = models.Manager()

    class Meta:
        ordering = ["game", "-micro", "player"]
        verbose_name = _("rating")
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="rating_once_a_game")]
        indexes = [models.Index(fields=["game", "-micro"], name="rating_by_game")]

    def __str__(self) -> str:
        return f"{self.player} {self.game} {self.micro / MICRO_POINTS_PER_POINT:.0f}"

    @classmethod
    def columns(cls, game: str, state: StateArrays) -> Columns:
        ratings = state.ratings
        return {
            "game": game,
            "player_id": state.player,
            "micro": ratings.micro,
            "weight": ratings.experience,
            "tables": ratings.tables,
            "dates": ratings.dates,
            "opponents": ratings.opponents,
            "provisional": provisional_flags(ratings),
            "last_date": dates_of(ratings.last),
        }

    @property
    def points(self) -> float:
        return self.micro / MICRO_POINTS_PER_POINT


class RatingStep(models.Model):
    """A player's rating after a date with rated tables. The rows are the history; a later computation also starts from
    them.
    """

    KEY = ("game", "player_id", "date")
    DERIVED = ("micro", "weight", "tables", "dates", "opponents")

    # Millions of rows. An id would need one more index and take a tenth of each row.
    pk = models.CompositePrimaryKey("player", "game", "date")
    # No foreign key constraint: checking it takes longer than the rest of the write. `verify` checks it instead.
    player = models.ForeignKey(Player, models.CASCADE, related_name="rating_steps", db_index=False, db_constraint=False)
    micro = models.BigIntegerField()
    date = models.DateField()
    weight = models.PositiveIntegerField()  # thousandths
    tables = models.PositiveIntegerField()
    dates = models.PositiveSmallIntegerField()
    opponents = models.PositiveSmallIntegerField()
    game = models.SlugField(max_length=40, db_index=False)

    class Meta:
        ordering = ["game", "date", "player"]
        # BRIN, since rows are written in order of date: a B-tree would double the write time.
        indexes = [BrinIndex(fields=["date"], name="rating_step_dates", pages_per_range=16, autosummarize=True)]

    def __str__(self) -> str:
        return f"{self.player} {self.game} {self.date}"

    @classmethod
    def columns(cls, game: str, history: History) -> Columns:
        steps = history.steps
        return {
            "game": game,
            "player_id": steps.player,
            "date": steps.date,
            "micro": steps.micro,
            "weight": steps.experience,
            "tables": steps.tables,
            "dates": steps.dates,
            "opponents": steps.opponents,
        }

    @property
    def points(self) -> float:
        return self.micro / MICRO_POINTS_PER_POINT


class RatingDay(models.Model):
    """A digest of all results that the ratings of a date depend on. It shows whether results were changed later.

    The digest of a date includes the digest of the previous date.
    """

    KEY = ("game", "date")
    DERIVED = ("digest", "arithmetic")

    game = models.SlugField(max_length=40, db_index=False)
    date = models.DateField()
    digest = models.CharField(max_length=64)
    arithmetic = models.PositiveSmallIntegerField()  # version number of the rating arithmetic

    objects: ClassVar[models.Manager[RatingDay]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "date"], name="rating_day_once_a_game")]
        indexes = [models.Index(fields=["arithmetic"], name="rating_day_by_arithmetic")]

    def __str__(self) -> str:
        return f"{self.game} {self.date}"

    @classmethod
    def columns(cls, game: str, digests: Mapping[datetime.date, str], arithmetic: int) -> Columns:
        return {
            "game": game,
            "date": list(digests),
            "digest": list(digests.values()),
            "arithmetic": [arithmetic] * len(digests),
        }


class FirstMeeting(models.Model):
    """The date when two players first met as opponents in a game. `first` has the lower id."""

    KEY = ("game", "first_id", "second_id")
    DERIVED = ("date",)

    game = models.SlugField(max_length=40, db_index=False)
    first = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    second = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    date = models.DateField()

    class Meta:
        db_table = "players_met"
        constraints = [
            models.UniqueConstraint(fields=["game", "first", "second"], name="met_once_a_game"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="met_lower_id_first"),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"

    @classmethod
    def columns(cls, game: str, history: History) -> Columns:
        meetings = history.meetings
        return {"game": game, "first_id": meetings.low, "second_id": meetings.high, "date": meetings.date}


class RatingRules(models.Model):
    """The rating rules of a game, if a superuser selected other rules than the game's default."""

    class Kind(models.TextChoices):
        PUBLISHED = "published", _("Published by the game's author")
        CLUB = "club", _("Club: small stakes")

    game = models.SlugField(max_length=40, unique=True)
    rules = models.CharField(max_length=9, choices=Kind)

    class Meta:
        verbose_name = _("rating rules")
        verbose_name_plural = _("rating rules")
        constraints = [
            models.CheckConstraint(condition=Q(rules__in=["published", "club"]), name="rating_rules_are_known")
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.get_rules_display()}"
