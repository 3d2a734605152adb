"""A game as the pages use it: its form, row of codes, texts and statistics. Each game is the value GAME of its module
`scoring.games.<folder>.game`.

The rules of a game for the scoring engine are in scoring/rules/interface.py; docs/adding-a-game.md explains both.
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


class TypingVariant(NamedTuple):
    """An alternative way to type the same facts (JSON of what happened), for example points that include the ten of the
    last trick.

    `words` is a text that describes it. The other values replace the values of the same name in `Game`.
    """

    words: StrPromise
    deal_form: Callable[..., FactsForm]
    row: RowCodes
    summary: Callable[[Any, Sequence[str]], str]


class FormAndRow(NamedTuple):
    """A game's deal form and its row of short codes under some house rules."""

    deal_form: Callable[..., FactsForm]
    row: RowCodes


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game as the pages use it. `find_game` sets `folder`, and defaults for `sizes` and `usual_sizes`."""

    name: StrPromise | str
    lead: StrPromise  # a description of the game in one sentence, for newcomers
    rules: Rules
    # (names, data=None, facts=None) -> the form of a deal; `names` are its players in the order of their seats
    deal_form: Callable[..., FactsForm]
    row: RowCodes  # a deal as a row of short codes, for the grid
    summary: Callable[[Any, Sequence[str]], str]  # (deal, names by seat) -> short description of the deal
    sizes: tuple[int, ...] = ()  # table sizes that a season can allow, in menu order; default: all of the rules
    usual_sizes: tuple[int, ...] = ()  # table sizes ticked in a new season; default: all
    may_rest: bool = False  # at larger tables the dealer may rest
    strong_first: bool = False  # the draw seats the strongest player first, instead of by lot
    # How a table can end, with the usual number, the default first: after a number of "deals" or "minutes", at a
    # "target" of points, or by "hand", when the secretary ends it. The demo plays to `automatic_end`.
    ends: Mapping[str, int | None] = field(default_factory=lambda: {"deals": 10, "minutes": 60, "hand": None})
    # (seats, earlier) -> the facts of the next deal that are known in advance, such as the dealer
    next_facts: Callable[[int, Sequence[Any]], Mapping[str, Any]] | None = None
    typing_variants: Mapping[str, TypingVariant] = field(default_factory=dict)  # other ways to type the facts, by name
    typing_label: StrPromise | str = ""  # label of the field where a season chooses a typing variant
    default_typing_label: StrPromise | str = ""  # label of the choice without a typing variant
    # (options) -> the form and the row, if the house rules change which facts are entered
    entry_for_options: Callable[[Any], FormAndRow] | None = None
    words: Words = field(default_factory=dict)  # messages for pages instead of the engine's, which may mention JSON
    statistics: Statistics = NO_STATISTICS  # counters of each deal, for players' statistics
    remarks: Remarks = NO_REMARKS  # sentences about remarkable deals, for the report of an evening
    spreadsheet: Spreadsheet = EMPTY_SPREADSHEET  # column names and values that clubs use in their spreadsheets
    records: Records = NO_RECORDS  # records of a season other than points, such as slams
    paper_errors: PaperErrors = NO_PAPER_ERRORS  # likely errors if totals differ from the paper score sheet
    has_deals: bool = True  # False: only the totals of a table are entered
    key: str = ""  # the slug of a club's own game, which has no folder
    definition: Mapping[str, Any] = field(default_factory=dict)  # options fixed by the game, not by house rules
    tournament_presets: Sequence[TournamentPreset] = ()  # usual formats of tournaments
    folder: Path = Path()  # set by find_game

    @property
    def slug(self) -> str:
        """The game's name in URLs: the folder's name with - for _, or the key of a club's own game."""
        return self.key or self.folder.name.replace("_", "-")

    @property
    def template(self) -> str:
        """The path of the template of the form's fields; its context has `form` and `shown_parts`."""
        return f"{self.folder.name}/deal.html"

    @property
    def automatic_end(self) -> tuple[str, int] | None:
        """Return how a table of this game ends by default, with the usual number: ("deals", 10) or ("target", 1000).

        It is the first of `ends` that has a number of deals or points. Return None if there is none.
        """
        for end in self.ends:
            if end in ("deals", "target") and (number := self.ends[end]) is not None:
                return end, number
        return None

    @property
    def has_pairs(self) -> bool:
        """Whether, at tables of some size, two or more seats share one result."""
        options = self.rules.read_options(self.definition)
        return any(len(side) > 1 for size in self.sizes for side in self.rules.sides(size, options))

    def convert_points(self, points: Any) -> Any:
        """Change the sign of the points if the lowest total wins in this game; else return them unchanged.

        Stored points are better if higher. On the score sheets of games that the lowest total wins, lower points are
        better. The function converts stored points to points of the sheet, and back.
        """
        return -points if self.definition.get("low_wins") else points

    def needs_earlier(self, house_rules: Mapping[str, Any]) -> bool:
        """Return whether the table's earlier deals may change the next deal's known facts, or a deal's points or
        warnings.
        """
        return self.next_facts is not None or self.rules.needs_earlier(self.rules.read_options(house_rules))

    def known_facts(self, seats: int, earlier: Sequence[object]) -> Mapping[str, Any]:
        """Return the facts (JSON of what happened) of the next deal that are known in advance, such as the dealer.

        Return {} if an earlier deal can't be read.
        """
        if self.next_facts is None:
            return {}
        try:
            return self.next_facts(seats, self.rules.read_earlier(seats, earlier))
        except IllegalDeal:
            return {}

    def with_typing_variant(self, name: str) -> Game:
        """Return a copy of the game with the form and row of the typing variant `name`.

        Return the game itself if `name` is "" or unknown.
        """
        typing = self.typing_variants.get(name)
        if typing is None:
            return self
        return replace(self, deal_form=typing.deal_form, row=typing.row, summary=typing.summary)

    def with_house_rules(self, house_rules: Mapping[str, Any]) -> Game:
        """Return the game with the deal form and the row of codes for these house rules.

        Return the game itself if its form and row do not depend on house rules, or if the house rules are invalid.
        """
        if self.entry_for_options is None:
            return self
        try:
            options = self.rules.read_options(house_rules)
        except IllegalDeal:
            return self
        return replace(self, **self.entry_for_options(options)._asdict())

    def house_rules_form(self, *args: Any, **kwargs: Any) -> HouseRulesForm:
        return HouseRulesForm(self.rules, *args, **kwargs)


@cache
def find_game(slug: str) -> Game:
    game: Game = registry.import_from_game(slug, "game", "GAME")
    module = sys.modules[registry.module_name(slug, "game")]
    minimum, maximum = game.rules.seats
    sizes = game.sizes or tuple(range(minimum, (maximum or minimum) + 1))
    return replace(game, folder=Path(str(module.__file__)).parent, sizes=sizes, usual_sizes=game.usual_sizes or sizes)


def all_games() -> list[Game]:
    return [find_game(slug) for slug in registry.slugs()]
