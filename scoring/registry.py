"""The games, in menu order. A new game is its folder and one word here.

Imports lazily, and no Django: `rules()` and `play()` import a game's pure modules alone; the rest is found by
scoring/game.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

from scoring.rules.interface import Rules

FOLDERS = ["tarot", "belote", "two_way_street"]


class UnknownGame(LookupError):
    """No folder has that slug."""


class IncompleteGame(ImportError):
    """A game's folder lacks something that every game must have."""


def slugs() -> list[str]:
    """Return the games' slugs in menu order."""
    return [folder.replace("_", "-") for folder in FOLDERS]


def folder(slug: str) -> str:
    """Return the name of a game's folder. Raises UnknownGame."""
    for name in FOLDERS:
        if name.replace("_", "-") == slug:
            return name
    raise UnknownGame(slug)


@cache
def rules(slug: str) -> Rules:
    """Return the rules of a game. Raises UnknownGame or IncompleteGame."""
    return cast("Rules", part(slug, "rules", "RULES"))


@cache
def play(slug: str) -> Callable[..., Any]:
    """Return how a plausible deal of a game is played. Raises UnknownGame or IncompleteGame.

    (rng, seats, skills, options, earlier) -> a value whose `facts` are the deal's. `skills` has a number from 0 to 1
    for each seat; `earlier` are the table's deals before this one, as the rules read them.
    """
    return cast("Callable[..., Any]", part(slug, "play", "play"))


def part(slug: str, module: str, name: str) -> Any:
    """Return what a module of a game's folder provides by that name. Raises UnknownGame or IncompleteGame."""
    path = f"scoring/games/{folder(slug)}/{module}.py"
    full_name = f"scoring.games.{folder(slug)}.{module}"
    try:
        found = import_module(full_name)
    except ModuleNotFoundError as missing:
        if missing.name != full_name:
            raise
        raise IncompleteGame(f"{path} is missing: every game has one (docs/adding-a-game.md).") from None
    if not hasattr(found, name):
        raise IncompleteGame(f"{path} has no {name}: every game has one (docs/adding-a-game.md).")
    return getattr(found, name)
