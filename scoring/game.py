"""What a game must provide. docs/adding-a-game.md walks through it.

`Rules` is the pure half, a module `scoring.games.<folder>.rules`: all that the engine needs.
`Game` is the Django half, the value GAME of `scoring.games.<folder>.game`: form, templates, defaults.
Importing this module does not import Django.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from scoring.rules.score import Score
from scoring.rules.words import Words

if TYPE_CHECKING:  # not when it runs: the engine imports this module, and starts in half the time without
    from pathlib import Path

    from django import forms
    from django.utils.functional import _StrPromise

    from scoring.row_codes import RowCodes


class Length(NamedTuple):
    """When a table is long enough to be rated, and from where on it weighs more (RATINGS.md)."""

    measure: str  # "deals": the number of deals; "top": the highest total
    least: int
    middle: int
    full: int
    rules: str  # the default rating rules: "club" or "published"


class Rules(Protocol):
    """The engine's half of a game; a module serves as one. `deal` and `options` are the game's own frozen values."""

    WORDS: Words
    LENGTH: Length
    SEATS: str  # what seats are possible, for messages: "3 to 6"

    def check_seats(self, seats: object, /) -> int:
        """The number of seats, or IllegalDeal on "seats"."""

    def read_options(self, raw: object, /) -> Any:
        """Options from the house rules' JSON, or IllegalDeal on "options.NAME"; {} gives the defaults."""

    def read(self, seats: int, facts: object, /) -> Any:
        """A deal from its facts, or IllegalDeal on the field as RULES.md spells it. Changes nothing."""

    def score(self, deal: Any, options: Any, /) -> Score:
        """Points, lines and warnings of a deal."""

    def roles(self, deal: Any, /) -> tuple[str, ...]:
        """What each seat was in this deal: a code of WORDS for each seat."""

    def formula(self, deal: Any, options: Any, seat: int, /) -> str:
        """A seat's points as the documents write them: `((25 + 19 + 10) × 2 + 30) × 3 = 414`; "" for nothing."""

    def sides(self, seats: int, /) -> tuple[tuple[int, ...], ...]:
        """Who is placed together at a table: ((0,), (1,), …) or ((0, 2), (1, 3))."""

    def check_totals(self, totals: Sequence[int], deals: int, /) -> None:
        """Whether a table's totals are possible, or IllegalDeal on "totals" or "totals.SEAT"."""


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
