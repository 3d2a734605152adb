"""The games, in menu order. A new game is its folder and one word here.

Imports lazily, and no Django: `rules()` imports a game's pure module alone; its other half is found by scoring/game.py.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from scoring.rules.interface import Rules

FOLDERS = ["tarot", "belote", "two_way_street"]


class UnknownGame(LookupError):
    """No folder has that slug."""


def slugs() -> list[str]:
    """Return the games' slugs in menu order."""
    return [folder.replace("_", "-") for folder in FOLDERS]


@cache
def rules(slug: str) -> Rules:
    """Return the engine's half of a game. Raises UnknownGame."""
    return cast("Rules", import_module(f"scoring.games.{folder(slug)}.rules"))


def folder(slug: str) -> str:
    """Return the name of a game's folder. Raises UnknownGame."""
    for name in FOLDERS:
        if name.replace("_", "-") == slug:
            return name
    raise UnknownGame(slug)
