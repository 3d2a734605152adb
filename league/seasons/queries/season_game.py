"""The game of a season, with its facts typed and shown as the season's sheets give them."""

from league.models import Evening, Season
from scoring.game import Game, find_game


def season_game(season: Season) -> Game:
    """Return the season's game with the form and row of its house rules and its way of entry."""
    return find_game(season.game).under(season.house_rules).typed(season.typing)


def evening_game(evening: Evening) -> Game:
    """Return the game of the evening's season, by the house rules of the evening."""
    season = evening.season
    return find_game(season.game).under(evening.house_rules).typed(season.typing)
