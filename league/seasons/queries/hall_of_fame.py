"""The champions of a club's closed seasons of one of its games, and which seasons its records are of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from league.models import Club, Season, Standing
from league.models.season import SeasonState
from league.seasons.queries.honours import champions


class HallOfFame(NamedTuple):
    """`games` are titles by slug, `game` is the one that is shown: "" where the club played none."""

    games: Mapping[str, str]
    game: str
    seasons: list[Season]
    champions: list[tuple[Season, list[Standing]]]


def hall_of_fame(club: Club, game: str) -> HallOfFame:
    """Return what a game's seasons ended with; of no game of the club, the first that a season was closed of."""
    seasons = list(club.seasons.exclude(state=SeasonState.DRAFT))
    games = {season.game: season.game_title for season in sorted(seasons, key=lambda each: each.game)}
    if game not in games:
        ended = {season.game for season in seasons if season.state == SeasonState.CLOSED}
        game = next((each for each in games if each in ended), next(iter(games), ""))
    of_game = [season for season in seasons if season.game == game]
    closed = [season for season in of_game if season.state == SeasonState.CLOSED]
    first = champions(closed)
    return HallOfFame(games, game, of_game, [(season, first.get(season.pk, list[Standing]())) for season in closed])
