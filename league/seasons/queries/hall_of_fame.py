"""The champions of a club's closed seasons, game by game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from league.models import Club, Season, Standing
from league.models.season import SeasonState
from league.seasons.queries.honours import champions


class HallOfFame(NamedTuple):
    """`games` are titles by slug, `game` is the selected one; "" if the club played none.

    `seasons` are all seasons of the game, for its records.
    """

    games: Mapping[str, str]
    game: str
    seasons: list[Season]
    champions: list[tuple[Season, list[Standing]]]


def hall_of_fame(club: Club, game: str) -> HallOfFame:
    """Return the hall of fame of a game; if the club does not play it, of the first game with a closed season."""
    seasons = list(club.seasons.exclude(state=SeasonState.DRAFT).select_related("club_game"))
    games = {season.game_key: season.game_title for season in sorted(seasons, key=lambda season: season.game_key)}
    if game not in games:
        closed_games = {season.game_key for season in seasons if season.state == SeasonState.CLOSED}
        game = next((slug for slug in games if slug in closed_games), next(iter(games), ""))
    of_game = [season for season in seasons if season.game_key == game]
    closed = [season for season in of_game if season.state == SeasonState.CLOSED]
    rows_by_season = champions(closed)
    return HallOfFame(
        games, game, of_game, [(season, rows_by_season.get(season.pk, list[Standing]())) for season in closed]
    )
