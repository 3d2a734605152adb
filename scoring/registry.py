"""The games, in menu order. A new game is its folder and one word here.

Doors open lazily: `rules()` imports only the pure module, `game()` the Django side.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from scoring.game import Game, Rules

FOLDERS = ["tarot", "belote", "two_way_street"]


class UnknownGame(LookupError):
    """No folder has that slug."""


def slugs() -> list[str]:
    """The games' slugs in menu order."""
    return [folder.replace("_", "-") for folder in FOLDERS]


@cache
def rules(slug: str) -> Rules:
    """The engine's half of a game. Standard library only."""
    return cast("Rules", import_module(f"scoring.games.{_folder(slug)}.rules"))


@cache
def game(slug: str) -> Game:
    """The Django half of a game."""
    return cast("Game", import_module(f"scoring.games.{_folder(slug)}.game").GAME)


def games() -> list[Game]:
    """Every game, in menu order."""
    return [game(slug) for slug in slugs()]


def _folder(slug: str) -> str:
    for folder in FOLDERS:
        if folder.replace("_", "-") == slug:
            return folder
    raise UnknownGame(slug)
