"""The game of a season, with its facts typed and shown as the season's sheets give them."""

from league.models import Evening, Season
from scoring.game import Game, find_game


def season_game(season: Season) -> Game:
    """The form and row are those of the season's house rules and its way of entry."""
    return find_game(season.game).under(season.house_rules).typed(season.typing)


def evening_game(evening: Evening) -> Game:
    """The form and row are those of the evening's house rules, which may differ from the season's."""
    season = evening.season
    return find_game(season.game).under(evening.house_rules).typed(season.typing)
