"""The part of a game for pages: the value GAME of `scoring.games.<folder>.game`.

The pure part, for the engine, is in scoring/rules/interface.py; docs/adding-a-game.md explains both.
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
from scoring.paper_errors import NO_PAPER_ERRORS, PaperErrors
from scoring.records import NO_RECORDS, Records
from scoring.remarks import NO_REMARKS, Remarks
from scoring.row_codes import RowCodes
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules
from scoring.rules.words import Words
from scoring.spreadsheet import EMPTY_SPREADSHEET, Spreadsheet
from scoring.statistics import NO_STATISTICS, Statistics
from scoring.tournament_presets import TournamentPreset

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Typing(NamedTuple):
    """Another way of typing the same facts, such as points with the ten of the last trick included."""

    words: StrPromise
    deal_form: Callable[..., FactsForm]
    row: RowCodes
    summary: Callable[[Any, Sequence[str]], str]


class FormAndRow(NamedTuple):
    """The form and the row of a deal under some house rules."""

    deal_form: Callable[..., FactsForm]
    row: RowCodes


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game on pages. `find_game` sets the defaults that follow from its rules."""

    name: StrPromise | str
    lead: StrPromise  # the game in one sentence, for newcomers
    rules: Rules
    # (names, data=None, facts=None) -> the form of a deal; `names` are its players in the order of their seats
    deal_form: Callable[..., FactsForm]
    row: RowCodes  # a deal as a row of short codes, for the grid
    summary: Callable[[Any, Sequence[str]], str]  # (deal, names by seat) -> a few words for the sheet
    sizes: tuple[int, ...] = ()  # table sizes that a season can allow, in menu order; default: all of the rules
    usual_sizes: tuple[int, ...] = ()  # table sizes ticked in a new season; default: all
    may_rest: bool = False  # at larger tables the dealer may rest
    strong_first: bool = False  # the draw seats the strongest player first, instead of by lot
    # How a table can end, with the usual number, the default first: after a number of "deals" or "minutes", at a
    # "target" of points, or by "hand", when the secretary ends it. The demo plays to `counted_end`.
    ends: Mapping[str, int | None] = field(default_factory=lambda: {"deals": 10, "minutes": 60, "hand": None})
    # (seats, earlier) -> the facts of the next deal that are known in advance, such as the dealer
    next_facts: Callable[[int, Sequence[Any]], Mapping[str, Any]] | None = None
    # Other ways of typing the same facts, by name; the label of the season's choice, and of the usual way in it
    typings: Mapping[str, Typing] = field(default_factory=dict)
    typing_label: StrPromise | str = ""
    usual_typing: StrPromise | str = ""
    # (options) -> the form and the row, if they ask for other facts under other house rules
    entry_by_rules: Callable[[Any], FormAndRow] | None = None
    words: Words = field(default_factory=dict)  # texts for pages, instead of texts of the engine that mention JSON
    statistics: Statistics = NO_STATISTICS  # counters of each deal, for players' statistics
    remarks: Remarks = NO_REMARKS  # remarkable deals, for the story of an evening
    spreadsheet: Spreadsheet = EMPTY_SPREADSHEET  # names and words of clubs' spreadsheets
    records: Records = NO_RECORDS  # records beside points, such as slams
    paper_errors: PaperErrors = NO_PAPER_ERRORS  # likely errors if the totals differ from the paper
    has_deals: bool = True  # False: only the totals of a table are entered
    key: str = ""  # of a club's own game, instead of the slug
    definition: Mapping[str, Any] = field(default_factory=dict)  # options that the game fixes: no house rules
    tournament_presets: Sequence[TournamentPreset] = ()  # formats of tournaments to begin with
    folder: Path = Path()  # set by find_game

    @property
    def slug(self) -> str:
        """The folder's name, with - for _; or the key of a club's own game."""
        return self.key or self.folder.name.replace("_", "-")

    @property
    def template(self) -> str:
        """The template of the form's fields; its context has `form` and `shown_parts`."""
        return f"{self.folder.name}/deal.html"

    @property
    def counted_end(self) -> tuple[str, int] | None:
        """Return the first end that the recorded deals decide, with its number: ("deals", 10)."""
        for end in self.ends:
            if end in ("deals", "target") and (number := self.ends[end]) is not None:
                return end, number
        return None

    @property
    def has_pairs(self) -> bool:
        options = self.rules.read_options(self.definition)
        return any(len(side) > 1 for size in self.sizes for side in self.rules.sides(size, options))

    def convert_points(self, points: Any) -> Any:
        """Return points as the sheets write them: minus the points where the lowest total wins."""
        return -points if self.definition.get("low_wins") else points

    def needs_earlier(self, house_rules: Mapping[str, Any]) -> bool:
        return self.next_facts is not None or self.rules.needs_earlier(self.rules.read_options(house_rules))

    def known_facts(self, seats: int, earlier: Sequence[object]) -> Mapping[str, Any]:
        """Return the facts of the next deal that are known in advance; {} if an earlier deal can't be read."""
        if self.next_facts is None:
            return {}
        try:
            return self.next_facts(seats, self.rules.read_earlier(seats, earlier))
        except IllegalDeal:
            return {}

    def typed(self, name: str) -> Game:
        """Return the game with this way of typing facts; "" or an unknown name is the usual way."""
        typing = self.typings.get(name)
        if typing is None:
            return self
        return replace(self, deal_form=typing.deal_form, row=typing.row, summary=typing.summary)

    def under(self, house_rules: Mapping[str, Any]) -> Game:
        """Return the game with the form and the row for these house rules; the usual ones if they can't be read."""
        if self.entry_by_rules is None:
            return self
        try:
            options = self.rules.read_options(house_rules)
        except IllegalDeal:
            return self
        return replace(self, **self.entry_by_rules(options)._asdict())

    def house_rules_form(self, *args: Any, **kwargs: Any) -> HouseRulesForm:
        return HouseRulesForm(self.rules, *args, **kwargs)


@cache
def find_game(slug: str) -> Game:
    game: Game = registry.part(slug, "game", "GAME")
    module = sys.modules[registry.module_name(slug, "game")]
    minimum, maximum = game.rules.seats
    sizes = game.sizes or tuple(range(minimum, (maximum or minimum) + 1))
    return replace(game, folder=Path(str(module.__file__)).parent, sizes=sizes, usual_sizes=game.usual_sizes or sizes)


def all_games() -> list[Game]:
    return [find_game(slug) for slug in registry.slugs()]
