"""A run's ledger: who moved in which board, written beside the boards in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db.models import Min

from league.models import Movement, Run, Standing
from league.recompute.queries.run_boards import DECIMALS
from league.standings.ranking import RankingRow
from league.standings.season import Exact, exact
from players.columns import write
from players.models import Rating
from players.rating.state import StateArrays
from scoring.numbers import rounded

KEPT: Final = timedelta(days=90)

Stand = tuple[int | None, Exact]  # rank, and points or micro-points


def ratings(game: str) -> dict[int, Stand]:
    """Return everyone's rating in a game; a rank depends on who reads the board, and is not told."""
    rows = Rating.objects.filter(game=game).order_by()
    return {player: (None, micro) for player, micro in rows.values_list("player_id", "micro")}


def standings(seasons: Collection[int]) -> dict[tuple[int, int], Stand]:
    """Return everyone's rank and total in some seasons, by season and player."""
    rows = Standing.objects.filter(season__in=seasons).order_by("season", "player")
    return {
        (season, player): (rank, exact(int(above), int(below)))
        for season, player, rank, above, below in rows.values_list(*Standing.KEY, "rank", "numerator", "denominator")
    }


def write_seasons(
    run: int, rankings: Mapping[int, Iterable[RankingRow]], before: Mapping[tuple[int, int], Stand]
) -> None:
    """Write who moved in standings since `before`: by rank or points, not by what else a row tells."""
    after: dict[tuple[int, int], Stand] = {
        (season, row.player): (row.rank, row.total) for season, rows in rankings.items() for row in rows
    }
    _write(
        (run, season, "", player, before.get((season, player)), after.get((season, player)))
        for season, player in sorted(before.keys() | after.keys())
    )


def write_game(run: int, game: str, state: StateArrays, before: Mapping[int, Stand]) -> None:
    """Whose rating moved from `before` to this state."""
    after: dict[int, Stand] = {
        player: (None, micro) for player, micro in zip(state.player.tolist(), state.ratings.micro.tolist(), strict=True)
    }
    _write(
        (run, None, game, player, before.get(player), after.get(player))
        for player in sorted(before.keys() | after.keys())
    )


def forget(now: datetime) -> None:
    """Delete who moved by runs of more than 90 days ago; the runs and their counts stay."""
    first = Run.objects.filter(started_at__gte=now - KEPT).aggregate(pk=Min("pk"))["pk"]
    if first is not None:  # runs are opened one after the other: ids tell their order, and have an index
        Movement.objects.filter(run__lt=first).delete()


def _write(rows: Iterable[tuple[int, int | None, str, int, Stand | None, Stand | None]]) -> None:
    names = ("run_id", "season_id", "game", "player_id", "rank_before", "before", "rank_after", "after")
    moved = [(*row, *_columns(before), *_columns(after)) for *row, before, after in rows if before != after]
    if moved:
        write(Movement, dict(zip(names, map(list, zip(*moved, strict=True)), strict=True)))


def _columns(stand: Stand | None) -> tuple[int | None, int | Decimal | None]:
    if stand is None:
        return None, None
    rank, number = stand
    return rank, number if isinstance(number, int) else rounded(number, DECIMALS)
