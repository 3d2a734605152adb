"""The game of a season, with its facts typed and shown as the season's sheets give them."""

from league.models import Season
from scoring.game import Game, find_game


def season_game(season: Season) -> Game:
    return find_game(season.game).typed(season.typing)
