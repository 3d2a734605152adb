"""A player's results by evening, with ranks, and the sum over a season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet
from django.db.models.functions import JSONArray

from league.evenings.queries.evening_ranking import RankingRow, annotate_ranking_columns, ranking_from_annotations
from league.evenings.queries.json_rows import json_rows
from league.models import Adjustment, Evening, Rest, Round, Season, Seat, Standing
from league.models.club import club_ids_hidden_from, visible_condition
from league.models.evening import EveningQuerySet, EveningState
from league.models.round import RoundState
from league.standings.season import ExactNumber
from league.statistics.queries.array_filter import equals_any
from players.models import Player
from players.models.person import Viewer


class PlayerTableResult(NamedTuple):
    """A player's result at a table. The points of an incomplete table may not count yet."""

    table: int  # id
    complete: bool
    round: int
    points: int
    deals: int


@dataclass(frozen=True)
class EveningResult:
    """A player's result of an evening. `ranking_row` is None as long as no table of the player counts."""

    evening: Evening
    tables: tuple[PlayerTableResult, ...]
    ranking_row: RankingRow | None
    ranked: int  # number of ranked players

    @property
    def is_over(self) -> bool:
        return self.evening.state == EveningState.CLOSED

    @property
    def points(self) -> int:
        return self.ranking_row.points * self.evening.weight if self.ranking_row else 0


@dataclass(frozen=True)
class SeasonSum:
    """The sum over a player's closed evenings of a season, and the player's total in the standings."""

    evenings: int
    deals: int
    points: int  # including adjustments, unless the season has its own standings rules
    adjustments: list[Adjustment]
    total: ExactNumber | None
    has_own_rules: bool  # the season has its own standings rules, which compute `total`

    @property
    def is_corrected(self) -> bool:
        """Whether results have changed since the standings were computed."""
        return not self.has_own_rules and self.total is not None and self.total != self.points


def evenings_with_seat(player: Player) -> EveningQuerySet:
    """Return the evenings with a seat of the player, without checking rights."""
    return _evenings_of_rounds(Seat.objects.filter(player=player).order_by().values("round"))


def evenings_attended(player: Player) -> EveningQuerySet:
    """Return the evenings with a seat or a rest of the player, without checking rights."""
    seated = Seat.objects.filter(player=player).order_by().values("round")
    rested = Rest.objects.filter(player=player).order_by().values("round")
    return _evenings_of_rounds(seated.union(rested, all=True))


def _evenings_of_rounds(rounds: QuerySet[Any, Any]) -> EveningQuerySet:
    # A subquery of the player's rounds: with joins the planner reads all rounds of the installation.
    accepted = Round.objects.accepted().filter(equals_any("pk", rounds))
    evenings = Evening.objects.filter(equals_any("pk", accepted.order_by().values("evening")))
    return evenings.not_cancelled()


def visible_evenings(player: Player, viewer: Viewer) -> EveningQuerySet:
    """Return the evenings with a seat of the player, as far as the viewer may see them.

    Players see all evenings of their own, without those of a private club that has not confirmed the
    player's login.
    """
    return _filter_visible(viewer, player, evenings_with_seat(player))


def visible_evenings_attended(player: Player, viewer: Viewer) -> EveningQuerySet:
    """Return the evenings with a seat or a rest of the player, as far as the viewer may see them."""
    return _filter_visible(viewer, player, evenings_attended(player))


def _filter_visible(viewer: Viewer, player: Player, evenings: EveningQuerySet) -> EveningQuerySet:
    if viewer.is_authenticated and player.user_id == viewer.pk:
        agreed = ~Q(season__club__in=club_ids_hidden_from(viewer))
        return evenings.filter(agreed | visible_condition(viewer, "season__club"))
    return evenings.filter(visible_condition(viewer, "season__club"))


def season_sum(player: Player, season: Season, evening_results: Sequence[EveningResult]) -> SeasonSum:
    """Return the sum over the player's closed evenings in the season. `evening_results` must contain all of them.

    The sum includes the player's adjustments, unless the season has its own standings rules.
    """
    has_own_rules = bool(season.standings_rules)
    adjustments = [] if has_own_rules else list(season.adjustments.filter(player=player))
    standing = Standing.objects.filter(player=player, season=season).first()
    rows = [result.ranking_row for result in evening_results if result.ranking_row]
    points = sum(result.points for result in evening_results)
    points += sum(season.convert_total(adjustment.points) for adjustment in adjustments)
    deals = sum(row.deals for row in rows)
    total = season.convert_total(standing.total) if standing else None
    return SeasonSum(len(rows), deals, points, adjustments, total, has_own_rules)


def results_by_evening(player: Player, evenings: EveningQuerySet) -> list[EveningResult]:
    """Return the player's result of each of the evenings. One query."""
    rows = annotate_ranking_columns(evenings).with_season().annotate(own_tables=json_rows(_table_rows(player)))
    return [_evening_result(player, evening) for evening in rows]


def _table_rows(player: Player) -> QuerySet[Any, Any]:
    seats = Seat.objects.filter(player=player, round__evening=OuterRef("pk"), round__state=RoundState.ACCEPTED)
    row = JSONArray("table", "table__complete", "round__number", "points", "deals")
    return seats.order_by("round__number").annotate(row=row)


def _evening_result(player: Player, evening: Any) -> EveningResult:
    ranking = ranking_from_annotations(evening)
    tables = (PlayerTableResult(*row) for row in evening.own_tables)
    return EveningResult(
        evening=evening,
        tables=tuple(table._replace(points=evening.season.convert_points(table.points)) for table in tables),
        ranking_row=next((row for row in ranking if row.player == player.pk), None),
        ranked=len(ranking),
    )
