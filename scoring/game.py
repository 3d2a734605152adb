"""What a game must provide to be played on pages: the value GAME of `scoring.games.<folder>.game`.

The pure half, all that the engine needs, is in scoring/rules/interface.py; docs/adding-a-game.md walks through both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django import forms

from scoring import registry
from scoring.row_codes import RowCodes
from scoring.rules.interface import Rules
from scoring.rules.words import Words

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise  # only the stubs have it


class Game(NamedTuple):
    """The Django half of a game: the value GAME of `scoring.games.<folder>.game`, its parts given by name."""

    slug: str
    folder: Path  # where RULES.md and examples.toml are
    name: _StrPromise
    lead: _StrPromise  # the game in one sentence, for who doesn't know it
    rules: Rules
    sizes: tuple[int, ...]  # table sizes a season may allow, in menu order
    usual_sizes: tuple[int, ...]  # those ticked in a new season
    may_rest: bool  # one of a table may sit each deal out, in turn
    strong_first: bool  # a draw seats the strongest first, who declares first; else seats are drawn by lot
    ends: Mapping[str, int | None]  # how a table may end (league's End), with its usual number, the default first
    # (names, data=None, facts=None) -> a form; names are those who play, by the engine's seat; facts are shown again
    deal_form: Callable[..., forms.Form]
    facts: Callable[[Any], dict[str, Any]]  # a valid form -> facts
    form_field: Callable[[str, Any], str | None]  # an engine's field and the form -> the form's field, None if none is
    shown: Callable[[Any], frozenset[str]]  # the parts (data-part) of the template that the deal needs as it stands
    template: str  # the form's fields, given `form` and `shown`
    row: RowCodes  # a deal as a row of short codes, for the grid
    house_rules_form: type[forms.Form]  # a valid one's cleaned_data are the engine's options
    summary: Callable[[Any, Sequence[str]], str]  # a deal and its seats' names -> a few words for the sheet
    words: Words = MappingProxyType({})  # what pages say for a code where the engine's words speak of JSON

    @property
    def has_pairs(self) -> bool:
        """Whether players of the game have partners for a whole table."""
        return any(len(side) > 1 for size in self.sizes for side in self.rules.sides(size))


@cache
def find_game(slug: str) -> Game:
    """Return the game of that slug. Raises UnknownGame."""
    return cast("Game", import_module(f"scoring.games.{registry.folder(slug)}.game").GAME)


def all_games() -> list[Game]:
    """Return every game, in menu order."""
    return [find_game(slug) for slug in registry.slugs()]
