from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.history import track_history
from league.models.season import Season
from league.standings.season import ExactNumber, exact_number
from players.columns import columns_of_rows

if TYPE_CHECKING:
    from league.standings.ranking import RankingRow
    from players.columns import Columns

MAX_DIGITS: Final = 1000  # digits of a number in the database
TOTAL_EXPRESSION: Final = models.F("numerator") / models.F("denominator")  # used for sorting


@track_history("AdjustmentEvent")
class Adjustment(models.Model):
    """Points that an admin gave to a player, or took away (then negative), in a season's standings."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="adjustments")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="adjustments")
    points = models.IntegerField(_("points"))
    reason = models.CharField(_("reason"), max_length=200)
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["given_at"]
        verbose_name = _("adjustment")

    def __str__(self) -> str:
        return f"{self.player}: {self.points}"


class Standing(models.Model):
    """A player's row in a season's standings, with the parts of the total. Guests and players with too few evenings
    have no rank.

    total = sum of `worth` over the evenings in `counted` (or their weighted mean, by the season's rules) + `extras` +
    `adjustment`.
    """

    # The fields that identify a row, and the computed fields, which `verify` computes again.
    KEY = ("season_id", "player_id")
    DERIVED = (
        "rank", "numerator", "denominator", "evenings", "deals", "counted", "dropped", "worth", "extras", "adjustment",
        "tie_break", "missing", "missing_partners", "guest", "rank_before", "arithmetic",
    )  # fmt: skip

    season = models.ForeignKey(Season, models.CASCADE, related_name="standings")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="standings")
    rank = models.PositiveIntegerField(null=True)
    # The exact total; the terms of an average can be longer than 64 bits.
    numerator = models.DecimalField(max_digits=MAX_DIGITS, decimal_places=0)
    denominator = models.DecimalField(max_digits=MAX_DIGITS, decimal_places=0, default=1)
    evenings = models.PositiveIntegerField()  # number of evenings attended
    deals = models.PositiveIntegerField()
    counted = models.JSONField(default=list)  # ids of the evenings that count, in order
    dropped = models.JSONField(default=list)  # ids of evenings with a worth that do not count, in order
    worth = models.JSONField(default=dict)  # by the id of an attended evening: integer or [numerator, denominator]
    extras = models.JSONField(default=dict)  # extra points, by the name of the rule
    adjustment = models.BigIntegerField(default=0)
    tie_break = models.CharField(max_length=20, blank=True)  # the tie-break that separated the row from equal totals
    missing = models.PositiveIntegerField(default=0)  # number of evenings missing for a rank
    missing_partners = models.PositiveIntegerField(default=0)  # number of partners missing for a rank
    guest = models.BooleanField(default=False)  # the player was a guest on every evening
    rank_before = models.PositiveIntegerField(null=True)  # before the season's newest evening
    arithmetic = models.PositiveSmallIntegerField()  # version number of the arithmetic of standings

    objects: ClassVar[models.Manager[Standing]] = models.Manager()

    class Meta:
        ordering = [models.F("rank").asc(nulls_last=True), TOTAL_EXPRESSION.desc(), "player__sort_key", "pk"]
        verbose_name = _("standing")
        constraints = [
            models.UniqueConstraint(fields=["season", "player"], name="standing_once_a_season"),
            models.CheckConstraint(condition=models.Q(denominator__gte=1), name="standing_denominator_from_one"),
        ]
        indexes = [models.Index(fields=["arithmetic"], name="standing_by_arithmetic")]

    def __str__(self) -> str:
        return f"{self.rank or '–'} {self.player}"

    @classmethod
    def from_row(cls, season: int, row: RankingRow, arithmetic: int) -> Standing:
        return cls(**dict(zip((*cls.KEY, *cls.DERIVED), _row_values(season, row, arithmetic), strict=True)))

    @classmethod
    def columns(cls, rankings: Mapping[int, Iterable[RankingRow]], arithmetic: int) -> Columns:
        """Return the rows of rankings (by season id) as columns for a bulk write. `arithmetic` is their version."""
        rows = [_row_values(season, row, arithmetic) for season, ranking in rankings.items() for row in ranking]
        return columns_of_rows((*cls.KEY, *cls.DERIVED), rows)

    @property
    def total(self) -> ExactNumber:
        return exact_number(int(self.numerator), int(self.denominator))

    @property
    def written_total(self) -> ExactNumber:
        """The total as score sheets show it: with the opposite sign if the lowest total wins. Fetch its season."""
        return self.season.convert_total(self.total)

    @property
    def worths(self) -> dict[int, ExactNumber]:
        """The worth of each attended evening, by the evening's id."""
        return {
            int(evening): exact_number(*worth) if isinstance(worth, list) else worth
            for evening, worth in self.worth.items()
        }


def rows_digest(rows: Iterable[Standing]) -> str:
    """Return the SHA-256 of the computed fields of a season's rows, in any order."""
    values = [[getattr(row, name) for name in ("player_id", *Standing.DERIVED)] for row in rows]
    return sha256(json.dumps(sorted(values), sort_keys=True, default=int).encode()).hexdigest()


def _row_values(season: int, row: RankingRow, arithmetic: int) -> tuple[Any, ...]:
    """Return the values of KEY and DERIVED, in this order."""
    return (
        season,
        row.player,
        row.rank,
        row.total.numerator,
        row.total.denominator,
        row.evenings,
        row.deals,
        list(row.counted),
        list(row.dropped),
        dict(zip(map(str, row.worth), map(_number_json, row.worth.values()), strict=True)),
        dict(row.extras),
        row.adjustment,
        row.tie_break,
        row.missing,
        row.missing_partners,
        bool(row.evenings) and not row.member,
        row.rank_before,
        arithmetic,
    )


def _number_json(number: ExactNumber) -> int | list[int]:
    """Return a number as JSON: an integer, or [numerator, denominator], as `python -m league.standings` writes it."""
    return number if type(number) is int else [number.numerator, number.denominator]
