"""The Game object of a season or an evening. For a club's own game it has the club's name, table sizes and options."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from league.models import ClubGame, Evening, Season
from league.models.club_game import TOTALS, club_game_id
from players.models.person import Viewer
from scoring import registry
from scoring.game import Game, find_game


def game_of_season(season: Season) -> Game:
    return game_by_totals(season.club_game) if season.club_game else find_game(season.game)


def game_with_season_rules(season: Season) -> Game:
    """Return the season's game, with the form for a deal adapted to the season's house rules and typing variant."""
    return game_of_season(season).with_house_rules(season.house_rules).with_typing_variant(season.typing)


def game_with_evening_rules(evening: Evening) -> Game:
    """Return the evening's game, with the form for a deal adapted to the evening's house rules.

    These may differ from the house rules of the season.
    """
    season = evening.season
    return game_of_season(season).with_house_rules(evening.house_rules).with_typing_variant(season.typing)


def game_by_totals(club_game: ClubGame) -> Game:
    return replace(
        find_game(TOTALS),
        key=club_game.key,
        name=club_game.name,
        sizes=club_game.sizes,
        usual_sizes=club_game.sizes,
        definition=club_game.options,
    )


def visible_game(key: str, viewer: Viewer) -> Game | None:
    """Return the game with this key, such as "tarot", or "totals-3" for a club's own game.

    Return None if the key is unknown, or the viewer may not see the club of the game.
    """
    if key in registry.slugs():
        return find_game(key)
    pk = club_game_id(key)
    club_game = None if pk is None else ClubGame.objects.visible_to(viewer).filter(pk=pk).first()
    return game_by_totals(club_game) if club_game else None


def visible_games(keys: Collection[str], viewer: Viewer) -> dict[str, Game]:
    """Return the games with these keys, by key, without games of clubs that the viewer may not see.

    The program's games come first, in the order of the menu, then clubs' own games. One query if a key is of a club's
    own game, else none.
    """
    games = {slug: find_game(slug) for slug in registry.slugs() if slug in keys}
    ids = [pk for key in keys if (pk := club_game_id(key)) is not None]
    club_games = ClubGame.objects.visible_to(viewer).filter(pk__in=ids) if ids else ()
    return games | {club_game.key: game_by_totals(club_game) for club_game in club_games}
