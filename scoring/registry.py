"""The list of games, in the order of menus. A new game is a folder and an entry in FOLDERS.

This module does not use Django: `rules()` and `play()` import only those modules of a game that need no Django.
`find_game` of scoring/game.py returns the whole game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

from scoring.rules.interface import Rules

FOLDERS = ["tarot", "belote", "contree", "two_way_street"]
TOTALS = "totals"  # the slug of a club's own game: only totals are entered. It is in no menu, and has no simulation


class UnknownGame(LookupError):
    """No game has this slug (its name in URLs)."""


class IncompleteGame(ImportError):
    """A module or a value is missing in a game's folder."""


def slugs() -> list[str]:
    return [folder.replace("_", "-") for folder in FOLDERS]


def folder_name(slug: str) -> str:
    """Return the name of the game's folder in scoring/games. Raise UnknownGame."""
    for name in FOLDERS:
        if name.replace("_", "-") == slug:
            return name
    raise UnknownGame(slug)


@cache
def rules(slug: str) -> Rules:
    return cast("Rules", import_from_game(slug, "rules", "RULES"))


@cache
def play(slug: str) -> Callable[..., Any]:
    """Return the function that simulates a deal of the game. Raise UnknownGame or IncompleteGame.

    The function takes (rng, seats, skills, options, earlier) and returns an object whose `facts` describe a plausible
    deal. `skills` has a number from 0 to 1 for each seat; `earlier` are the table's previous deals, as `Rules.read`
    returns them.
    """
    return cast("Callable[..., Any]", import_from_game(slug, "play", "play"))


def module_name(slug: str, module: str) -> str:
    """Return the full name of a module in the game's folder: "scoring.games.tarot.rules". Raise UnknownGame."""
    return f"scoring.{TOTALS}.{module}" if slug == TOTALS else f"scoring.games.{folder_name(slug)}.{module}"


def import_from_game(slug: str, module: str, name: str) -> Any:
    """Return the value `name` of a module in the game's folder, such as RULES of `rules`. Raise UnknownGame, or
    IncompleteGame if the module or the value is missing.
    """
    full_name = module_name(slug, module)
    path = f"{full_name.replace('.', '/')}.py"
    try:
        imported = import_module(full_name)
    except ModuleNotFoundError as missing:
        if missing.name != full_name:
            raise
        raise IncompleteGame(f"{path} is missing: every game has one (docs/adding-a-game.md).") from None
    if not hasattr(imported, name):
        raise IncompleteGame(f"{path} has no {name}: every game has one (docs/adding-a-game.md).")
    return getattr(imported, name)
