"""Lookups of the game in a page's address."""

from __future__ import annotations

from django.http import Http404

from league.seasons.queries.season_game import visible_game
from players.models.person import Reader
from scoring.game import Game, find_game
from scoring.registry import UnknownGame


def game_or_404(key: str, reader: Reader) -> Game:
    """Return the game with this slug or key of ratings; 404 if it is unknown, or belongs to a hidden club."""
    game = visible_game(key, reader)
    if game is None:
        raise Http404
    return game


def folder_game_or_404(slug: str) -> Game:
    try:
        return find_game(slug)
    except UnknownGame as unknown:
        raise Http404 from unknown
