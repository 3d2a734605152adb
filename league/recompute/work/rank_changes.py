"""Store the rank changes of a run (ranks and totals of players), in the transaction that stores the new rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db.models import Min

from league.models import RankChange, Run, Standing
from league.recompute.queries.run_leaderboards import POINT_DECIMALS
from league.standings.ranking import RankingRow
from league.standings.season import ExactNumber, exact_number
from players.columns import write_columns
from players.models import Rating
from players.rating.state import StateArrays
from scoring.numbers import round_to_decimals

RETENTION: Final = timedelta(days=90)  # rank changes of older runs are deleted

RankAndTotal = tuple[int | None, ExactNumber]  # rank, and points of a season or micro-points of a rating


def current_ratings(game: str) -> dict[int, RankAndTotal]:
    rows = Rating.objects.filter(game=game).order_by()
    return {player: (None, micro) for player, micro in rows.values_list("player_id", "micro")}


def current_standings(seasons: Collection[int]) -> dict[tuple[int, int], RankAndTotal]:
    rows = Standing.objects.filter(season__in=seasons).order_by("season", "player")
    return {
        (season, player): (rank, exact_number(int(above), int(below)))
        for season, player, rank, above, below in rows.values_list(*Standing.KEY, "rank", "numerator", "denominator")
    }


def write_standing_changes(
    run: int, rankings: Mapping[int, Iterable[RankingRow]], before: Mapping[tuple[int, int], RankAndTotal]
) -> None:
    after: dict[tuple[int, int], RankAndTotal] = {
        (season, row.player): (row.rank, row.total) for season, rows in rankings.items() for row in rows
    }
    _write_rank_changes(
        (run, season, "", player, before.get((season, player)), after.get((season, player)))
        for season, player in sorted(before.keys() | after.keys())
    )


def write_rating_changes(run: int, game: str, state: StateArrays, before: Mapping[int, RankAndTotal]) -> None:
    after: dict[int, RankAndTotal] = {
        player: (None, micro) for player, micro in zip(state.player.tolist(), state.ratings.micro.tolist(), strict=True)
    }
    _write_rank_changes(
        (run, None, game, player, before.get(player), after.get(player))
        for player in sorted(before.keys() | after.keys())
    )


def delete_old_rank_changes(now: datetime) -> None:
    first = Run.objects.filter(started_at__gte=now - RETENTION).aggregate(pk=Min("pk"))["pk"]
    if first is not None:  # ids are in the order of the runs, and have an index
        RankChange.objects.filter(run__lt=first).delete()


def _write_rank_changes(
    rows: Iterable[tuple[int, int | None, str, int, RankAndTotal | None, RankAndTotal | None]],
) -> None:
    names = ("run_id", "season_id", "game", "player_id", "rank_before", "before", "rank_after", "after")
    changes = [
        (*row, *_rank_and_total_columns(before), *_rank_and_total_columns(after))
        for *row, before, after in rows
        if before != after
    ]
    if changes:
        write_columns(RankChange, dict(zip(names, map(list, zip(*changes, strict=True)), strict=True)))


def _rank_and_total_columns(rank_and_total: RankAndTotal | None) -> tuple[int | None, int | Decimal | None]:
    if rank_and_total is None:
        return None, None
    rank, number = rank_and_total
    return rank, number if isinstance(number, int) else round_to_decimals(number, POINT_DECIMALS)
