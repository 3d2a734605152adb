"""Find the game that a URL names."""

from __future__ import annotations

from django.http import Http404

from league.seasons.queries.season_game import visible_game
from players.models.person import Viewer
from scoring.game import Game, find_game
from scoring.registry import UnknownGame


def game_or_404(key: str, viewer: Viewer) -> Game:
    """Return the game with this slug, or with this key in ratings.

    Raise Http404 if it is unknown, or belongs to a club that is not visible.
    """
    game = visible_game(key, viewer)
    if game is None:
        raise Http404
    return game


def built_in_game_or_404(slug: str) -> Game:
    """Return the built-in game with this slug. Raise Http404 for an unknown game and for a club's own game."""
    try:
        return find_game(slug)
    except UnknownGame as unknown:
        raise Http404 from unknown
