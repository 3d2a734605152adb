"""Finals of a tournament: the plan, the units (players, pairs or teams) that play, and the tables of the matches.

Pairings, winners and ranks are computed from these rows and from the tables' results (league/pairing/finals.py).
"""

from __future__ import annotations

from typing import ClassVar, Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.table import Table
from league.models.tournament import Tournament, TournamentUnit
from league.pairing.finals import MAX_UNITS

MAX_GAMES_TO_WIN: Final = 5


class FinalsKind(models.TextChoices):
    KNOCKOUT = "knockout", _("Knock-out")
    POOLS = "pools", _("Pools of four, then knock-out")
    TABLE = "table", _("One final table")


class BracketKind(models.TextChoices):
    """The kinds of brackets (league/pairing/finals.py), and the final table, which has no bracket."""

    POOLS = "pools", _("Pools")
    MAIN = "main", _("Main draw")
    THIRD_PLACE = "third_place", _("Third place")
    CONSOLATION = "consolation", _("Consolation draw")
    TABLE = "table", _("Final table")


class Finals(models.Model):
    """The plan of a tournament's finals.

    Units (players, pairs or teams) get their seeds when the finals start; later corrections of results do not change
    the seeds.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="finals")
    form = models.CharField(_("kind of finals"), max_length=8, choices=FinalsKind)
    third_place = models.BooleanField(_("a match for third place"), default=False)
    consolation = models.BooleanField(_("consolation draw"), default=False)
    games_to_win = models.PositiveSmallIntegerField(
        _("wins that decide a match"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_GAMES_TO_WIN)],
    )

    objects: ClassVar[models.Manager[Finals]] = models.Manager()

    class Meta:
        verbose_name = _("finals")
        verbose_name_plural = _("finals")
        constraints = [
            models.CheckConstraint(condition=Q(form__in=FinalsKind.values), name="finals_form_is_known"),
            models.CheckConstraint(condition=Q(games_to_win__gte=1), name="finals_match_has_games"),
            models.CheckConstraint(
                condition=~Q(form=FinalsKind.TABLE) | Q(third_place=False, consolation=False, games_to_win=1),
                name="finals_table_has_no_brackets",
            ),
        ]

    def __str__(self) -> str:
        return str(self.get_form_display())


class FinalsUnit(models.Model):
    """A unit (player, pair or team) that plays in the finals. Seed 1 is the best."""

    finals = models.ForeignKey(Finals, models.CASCADE, related_name="units")
    unit = models.OneToOneField(TournamentUnit, models.CASCADE, related_name="finals_place")
    seed = models.PositiveSmallIntegerField()

    objects: ClassVar[models.Manager[FinalsUnit]] = models.Manager()

    class Meta:
        ordering = ["seed"]
        verbose_name = _("unit of finals")
        verbose_name_plural = _("units of finals")
        constraints = [
            models.UniqueConstraint(fields=["finals", "seed"], name="finals_seed_once"),
            models.CheckConstraint(condition=Q(seed__gte=1, seed__lte=MAX_UNITS), name="finals_seed_is_possible"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.seed}"


class FinalsGame(models.Model):
    """A game of a match in the finals, played at a table.

    `decided_for` is the winner by decision of the organisers. It counts only if the table's result decides nothing:
    equal points, or all units absent.
    """

    finals = models.ForeignKey(Finals, models.CASCADE, related_name="games")
    bracket = models.CharField(max_length=11, choices=BracketKind)
    stage = models.PositiveSmallIntegerField()  # from 1
    index = models.PositiveSmallIntegerField()  # of the match in its stage: from 0, from the top of the bracket
    number = models.PositiveSmallIntegerField(default=1)  # of the game in its match, from 1
    table = models.OneToOneField(Table, models.CASCADE, related_name="finals_game")
    decided_for = models.ForeignKey(FinalsUnit, models.SET_NULL, null=True, blank=True, related_name="decided_games")

    objects: ClassVar[models.Manager[FinalsGame]] = models.Manager()

    class Meta:
        ordering = ["finals", "bracket", "stage", "index", "number"]
        verbose_name = _("table of finals")
        verbose_name_plural = _("tables of finals")
        constraints = [
            models.UniqueConstraint(
                F("finals"), F("bracket"), F("stage"), F("index"), F("number"), name="finals_game_once"
            ),
            models.CheckConstraint(condition=Q(bracket__in=BracketKind.values), name="finals_bracket_is_known"),
            models.CheckConstraint(condition=Q(stage__gte=1, number__gte=1), name="finals_games_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
