"""A run's ledger: who moved in which board, written beside the boards in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db.models import Min

from league.models import Movement, Run, Standing
from league.night.standings import Change
from league.standings.season import Exact
from players.columns import write_rows
from players.models import Rating
from scoring.numbers import rounded

KEPT: Final = timedelta(days=90)
DECIMALS: Final = 6  # of a fraction of points

Stand = tuple[int | None, Exact]  # rank, and points or micro-points


def ratings(game: str) -> dict[int, Stand]:
    """Return everyone's rating in a game; a rank depends on who reads the board, and is not told."""
    rows = Rating.objects.filter(game=game).order_by()
    return {player: (None, micro) for player, micro in rows.values_list("player_id", "micro")}


def write_seasons(run: int, changes: Iterable[Change]) -> None:
    """Who moved in standings: by rank or points, not by what else a row tells."""
    rows = [(after or before, _stand(before), _stand(after)) for before, after in changes]
    _write((run, row.season_id, "", row.player_id, before, after) for row, before, after in rows if row)


def write_game(run: int, game: str, before: Mapping[int, Stand]) -> None:
    """Whose rating moved since `before`."""
    after = ratings(game)
    _write(
        (run, None, game, player, before.get(player), after.get(player))
        for player in sorted(before.keys() | after.keys())
    )


def forget(now: datetime) -> None:
    """Delete who moved by runs of more than 90 days ago; the runs and their counts stay."""
    first = Run.objects.filter(started_at__gte=now - KEPT).aggregate(pk=Min("pk"))["pk"]
    if first is not None:  # runs are opened one after the other: ids tell their order, and have an index
        Movement.objects.filter(run__lt=first).delete()


def _stand(row: Standing | None) -> Stand | None:
    return (row.rank, row.total) if row else None


def _write(rows: Iterable[tuple[int, int | None, str, int, Stand | None, Stand | None]]) -> None:
    names = ("run_id", "season_id", "game", "player_id", "rank_before", "before", "rank_after", "after")
    moved = ((*row, *_columns(before), *_columns(after)) for *row, before, after in rows if before != after)
    write_rows(Movement, names, moved)


def _columns(stand: Stand | None) -> tuple[int | None, int | Decimal | None]:
    if stand is None:
        return None, None
    rank, number = stand
    return rank, number if isinstance(number, int) else rounded(number, DECIMALS)
