"""A run's ledger: who moved in which board, written beside the boards in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from league.models import Standing
from players.models import Movement, Rating

Stand = tuple[int | None, int]  # rank, and points or micro-points


def standings(seasons: Collection[int]) -> dict[tuple[int, int], Stand]:
    """Where everyone stands in some seasons, by season and player."""
    rows = Standing.objects.filter(season__in=seasons).order_by()
    return {
        (season, player): (rank, points)
        for season, player, rank, points in rows.values_list("season_id", "player_id", "rank", "points")
    }


def ratings(game: str) -> dict[int, Stand]:
    """Everyone's rating in a game; a rank depends on who reads the board, and is not told."""
    rows = Rating.objects.filter(game=game).order_by()
    return {player: (None, micro) for player, micro in rows.values_list("player_id", "micro")}


def write_seasons(run: int, seasons: Collection[int], before: Mapping[tuple[int, int], Stand]) -> None:
    """Who moved in these seasons since `before`."""
    after = standings(seasons)
    _write(
        _movement(run, player, before.get((season, player)), after.get((season, player)), season=season)
        for season, player in sorted(before.keys() | after.keys())
        if before.get((season, player)) != after.get((season, player))
    )


def write_game(run: int, game: str, before: Mapping[int, Stand]) -> None:
    """Whose rating moved since `before`."""
    after = ratings(game)
    _write(
        _movement(run, player, before.get(player), after.get(player), game=game)
        for player in sorted(before.keys() | after.keys())
        if before.get(player) != after.get(player)
    )


def _movement(
    run: int, player: int, before: Stand | None, after: Stand | None, *, season: int | None = None, game: str = ""
) -> Movement:
    (rank_before, was), (rank_after, now) = before or (None, None), after or (None, None)
    return Movement(
        run_id=run,
        season_id=season,
        game=game,
        player_id=player,
        rank_before=rank_before,
        rank_after=rank_after,
        before=was,
        after=now,
    )


def _write(movements: Iterable[Movement]) -> None:
    Movement.objects.bulk_create(movements, batch_size=1000)
