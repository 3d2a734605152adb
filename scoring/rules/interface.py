"""What the rules of a game must provide: the pure half, a module `scoring.games.<folder>.rules`.

The Django half is in scoring/game.py; docs/adding-a-game.md walks through both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from scoring.rules.score import Score
from scoring.rules.words import Words


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
