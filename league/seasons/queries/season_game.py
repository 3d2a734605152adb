"""The game of a season, with its facts typed and shown as the season's sheets give them."""

from league.models import Season
from scoring.game import Game, find_game


def season_game(season: Season) -> Game:
    """Return the season's game; its form, row and summaries are those of the season's typing."""
    return find_game(season.game).typed(season.typing)
