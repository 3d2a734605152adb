"""The effects of a correction of a deal, which are shown before it is saved.

The correction is made in a transaction that is rolled back. So the same actions, ranking and arithmetic compute the
effects as for the real correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from django.db import transaction

from league.evenings.queries.evening_ranking import ranking
from league.models import Evening, PendingRecompute, Seat
from league.models.evening import EveningState
from league.ratings.queries.game_ratings import compute_date_ranges
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_rankings import rank_season
from league.standings.season import ExactNumber
from league.tournaments.queries.finals import read_finals
from league.tournaments.queries.finals_rows import FinalsRows, TableToReseat
from players.models import Player
from players.rating.expectation import MICRO_POINTS_PER_POINT
from players.rating.k_factor import divide_half_up

TENTH_OF_POINT = MICRO_POINTS_PER_POINT // 10  # pages show ratings in tenths


class RankAndPoints(NamedTuple):
    """A rank (None for tables and ratings), and points or a rating in micro-points (millionths of a point)."""

    rank: int | None
    points_or_rating: ExactNumber


class ResultChange(NamedTuple):
    """A player whose rank, points or rating change. `before` or `after` is None if the player has no row then."""

    player: Player
    before: RankAndPoints | None
    after: RankAndPoints | None


class CorrectionEffects(NamedTuple):
    """The effects of a correction: players whose points at the tables, ranks or ratings change."""

    tables: list[ResultChange]
    evening: list[ResultChange]
    season: list[ResultChange]
    ratings: list[ResultChange]
    finals: list[TableToReseat]  # matches of a tournament's finals that would get other units (pairs or teams)

    @property
    def has_changes(self) -> bool:
        return any(self)


class _Results(NamedTuple):
    """The results that a correction can change, by player id."""

    tables: dict[int, RankAndPoints]
    evening: dict[int, RankAndPoints]
    season: dict[int, RankAndPoints]
    rated_values: tuple[object, ...]  # values of the tables that the ratings depend on


def compute_correction_effects(
    evening: Evening, tables: Iterable[int], change: Callable[[], object]
) -> CorrectionEffects:
    """Return the effects of `change` on these tables (ids), the evening, the season and the ratings. Store nothing.

    `change` is a function that calls an action. Exceptions of the action are raised. Everything is rolled back, and all
    locks are released.
    """
    ids = list(tables)
    before = _read_results(evening, ids)
    with transaction.atomic():
        change()
        after = _read_results(evening, ids)
        finals = _reseatings(evening)
        changes_ratings = evening.state == EveningState.CLOSED and before.rated_values != after.rated_values
        rated_after = _current_ratings(evening) if changes_ratings else {}
        transaction.set_rollback(True)
    rated_before = _current_ratings(evening) if changes_ratings else {}
    pairs = [*zip(before[:3], after[:3], strict=True), (rated_before, rated_after)]
    differences = [_differences(old, new) for old, new in pairs]
    people = Player.objects.in_bulk({player for change_by_player in differences for player in change_by_player})
    in_tables, in_evening, in_season, in_ratings = (
        _sorted_changes(change_by_player, people) for change_by_player in differences
    )
    return CorrectionEffects(in_tables, in_evening, in_season, in_ratings, finals)


def _reseatings(evening: Evening) -> list[TableToReseat]:
    tournament = evening.season.tournament
    state = None if tournament is None else read_finals(tournament, evening.season)
    return [] if state is None else FinalsRows(state, evening.season, shows_names=True).reseatings


def _read_results(evening: Evening, tables: list[int]) -> _Results:
    seats = Seat.objects.filter(table__in=tables).order_by("table", "number")
    values = seats.values_list("player_id", "points", "table__complete", "table__deals", "table_id", "number")
    return _Results(
        tables={
            player: RankAndPoints(None, evening.season.convert_points(points)) for player, points, *_table in values
        },
        evening={row.player: RankAndPoints(row.rank, row.points) for row in ranking(evening)},
        season=_season_ranks(evening),
        rated_values=tuple(values),
    )


def _season_ranks(evening: Evening) -> dict[int, RankAndPoints]:
    if evening.state != EveningState.CLOSED:
        return {}
    with suppress(UnreadableRules):
        season = evening.season
        return {row.player: RankAndPoints(row.rank, season.convert_total(row.total)) for row in rank_season(season)}
    return {}


def _current_ratings(evening: Evening) -> dict[int, RankAndPoints]:
    """Return {player id: rating}, in micro-points but rounded to tenths of a point, as pages show ratings.

    They are computed from the evening's date on, or from an earlier date that waits for the recompute.
    """
    game = evening.season.game_key
    pending_date = (
        PendingRecompute.objects.filter(game=game, date__lt=evening.date)
        .order_by("date")
        .values_list("date", flat=True)
        .first()
    )
    ratings: dict[int, RankAndPoints] = {}
    for part in compute_date_ranges(game, pending_date or evening.date):
        ratings = {
            player: RankAndPoints(None, divide_half_up(micro, TENTH_OF_POINT) * TENTH_OF_POINT)
            for player, micro in zip(part.state.player.tolist(), part.state.ratings.micro.tolist(), strict=True)
        }
    return ratings


def _differences(
    before: Mapping[int, RankAndPoints], after: Mapping[int, RankAndPoints]
) -> dict[int, tuple[RankAndPoints | None, RankAndPoints | None]]:
    both = {player: (before.get(player), after.get(player)) for player in before.keys() | after.keys()}
    return {player: (old, new) for player, (old, new) in both.items() if old != new}


def _sorted_changes(
    change_by_player: Mapping[int, tuple[RankAndPoints | None, RankAndPoints | None]], people: Mapping[int, Player]
) -> list[ResultChange]:
    changes = [ResultChange(people[player], before, after) for player, (before, after) in change_by_player.items()]
    return sorted(
        changes,
        key=lambda change: (change.after is None, (change.after and change.after.rank) or 0, change.player.sort_key),
    )
