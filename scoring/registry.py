"""The games, in menu order. A new game is a folder and its name here.

No Django: `rules()` and `play()` import only the pure modules of a game; scoring/game.py finds the rest.
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
    """No game has this slug."""


class IncompleteGame(ImportError):
    """A module or a value is missing in a game's folder."""


def slugs() -> list[str]:
    return [folder.replace("_", "-") for folder in FOLDERS]


def folder(slug: str) -> str:
    for name in FOLDERS:
        if name.replace("_", "-") == slug:
            return name
    raise UnknownGame(slug)


@cache
def rules(slug: str) -> Rules:
    return cast("Rules", part(slug, "rules", "RULES"))


@cache
def play(slug: str) -> Callable[..., Any]:
    """Return the simulation of a game. Raise UnknownGame or IncompleteGame.

    (rng, seats, skills, options, earlier) -> a value with the `facts` of a plausible deal. `skills` has a number from 0
    to 1 for each seat; `earlier` are the table's previous deals, as `Rules.read` returns them.
    """
    return cast("Callable[..., Any]", part(slug, "play", "play"))


def module_name(slug: str, module: str) -> str:
    """Return the full name of a module of the game. Raise UnknownGame."""
    return f"scoring.{TOTALS}.{module}" if slug == TOTALS else f"scoring.games.{folder(slug)}.{module}"


def part(slug: str, module: str, name: str) -> Any:
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
