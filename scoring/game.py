"""What a game provides to be played on pages: the value GAME of `scoring.games.<folder>.game`.

The pure part, all that the engine needs, is in scoring/rules/interface.py; docs/adding-a-game.md walks through both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring import registry
from scoring.facts_form import FactsForm
from scoring.house_rules_form import HouseRulesForm
from scoring.records import NO_RECORDS, Records
from scoring.remarks import NO_REMARKS, Remarks
from scoring.row_codes import RowCodes
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules
from scoring.rules.words import Words
from scoring.spreadsheet import PLAIN, Spreadsheet
from scoring.statistics import NO_STATISTICS, Statistics

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Typing(NamedTuple):
    """Another way of typing the same facts: its words, and what reads and shows facts that way."""

    words: _StrPromise
    deal_form: Callable[..., FactsForm]
    row: RowCodes
    summary: Callable[[Any, Sequence[str]], str]


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game as pages know it. What it leaves out is as usual, or follows from its rules: `find_game` fills that in."""

    name: _StrPromise
    lead: _StrPromise  # the game in one sentence, for who doesn't know it
    rules: Rules
    # (names, data=None, facts=None) -> the form of a deal; names are those who play, by the engine's seat
    deal_form: Callable[..., FactsForm]
    row: RowCodes  # a deal as a row of short codes, for the grid
    summary: Callable[[Any, Sequence[str]], str]  # a deal and its seats' names -> a few words for the sheet
    sizes: tuple[int, ...] = ()  # table sizes a season may allow, in menu order: all that the rules allow
    usual_sizes: tuple[int, ...] = ()  # those ticked in a new season: all
    may_rest: bool = False  # one of a table may sit each deal out, in turn
    strong_first: bool = False  # a draw seats the strongest first, who declares first; else seats are drawn by lot
    # How a table may end, each with its usual number, the default first: after so many "deals" or "minutes", at a
    # "target" of points, or by "hand", when the secretary says so.
    ends: Mapping[str, int | None] = field(default_factory=lambda: {"deals": 10, "minutes": 60, "hand": None})
    # (seats, earlier) -> the facts of the next deal that are known before it is played, such as whose turn it is
    next_facts: Callable[[int, Sequence[Any]], Mapping[str, Any]] | None = None
    # Other ways of typing the same facts, by name; a season is asked by the label, and the usual way has its words
    typings: Mapping[str, Typing] = field(default_factory=dict)
    typing_label: _StrPromise | str = ""
    usual_typing: _StrPromise | str = ""
    words: Words = field(default_factory=dict)  # what pages say for a code where the engine's words speak of JSON
    statistics: Statistics = NO_STATISTICS  # what is counted of each deal, and shown of a player
    remarks: Remarks = NO_REMARKS  # what is told of a deal in the story of its evening
    spreadsheet: Spreadsheet = PLAIN  # what clubs' own spreadsheets call the row's cells, and their words for codes
    records: Records = NO_RECORDS  # what is worth a record in a deal, beside its points
    folder: Path = Path()  # of the game; never given

    @property
    def slug(self) -> str:
        """The game's name in addresses and in the engine's requests: the folder's, with - for _."""
        return self.folder.name.replace("_", "-")

    @property
    def template(self) -> str:
        """The template of the form's fields, given `form` and `shown`."""
        return f"{self.folder.name}/deal.html"

    @property
    def has_pairs(self) -> bool:
        """Whether players of the game have partners for a whole table."""
        return any(len(side) > 1 for size in self.sizes for side in self.rules.sides(size))

    def needs_earlier(self, house_rules: Mapping[str, Any]) -> bool:
        """Return whether a deal's page needs the table's earlier deals. Raises IllegalDeal on "options.NAME"."""
        return self.next_facts is not None or self.rules.needs_earlier(self.rules.read_options(house_rules))

    def known_facts(self, seats: int, earlier: Sequence[object]) -> Mapping[str, Any]:
        """Return what is known of the next deal before it is played, after deals with these facts.

        Nothing if one of them can't be read: what is shown beforehand is a help, not a rule.
        """
        if self.next_facts is None:
            return {}
        try:
            return self.next_facts(seats, self.rules.read_earlier(seats, earlier))
        except IllegalDeal:
            return {}

    def typed(self, name: str) -> Game:
        """Return the game with its facts typed that way; "", or a name that it doesn't have, is the usual way."""
        typing = self.typings.get(name)
        if typing is None:
            return self
        return replace(self, deal_form=typing.deal_form, row=typing.row, summary=typing.summary)

    def house_rules_form(self, *args: Any, **kwargs: Any) -> HouseRulesForm:
        """Return the form of the game's house rules; takes what every form takes."""
        return HouseRulesForm(self.rules.house_rules, *args, **kwargs)


@cache
def find_game(slug: str) -> Game:
    """Return the game of that slug. Raises UnknownGame or IncompleteGame."""
    given: Game = registry.part(slug, "game", "GAME")
    module = sys.modules[f"scoring.games.{registry.folder(slug)}.game"]
    least, most = given.rules.seats
    sizes = given.sizes or tuple(range(least, (most or least) + 1))
    return replace(given, folder=Path(str(module.__file__)).parent, sizes=sizes, usual_sizes=given.usual_sizes or sizes)


def all_games() -> list[Game]:
    """Return every game, in menu order."""
    return [find_game(slug) for slug in registry.slugs()]
