"""The two kinds of lists: totals, a line for each player at a table, and deals, a line each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol, Self

from league.actions.old_results import ReportProgress, bring_in_deals, bring_in_results, report_nothing
from league.imports.queries.listed_deals import ListedDeal, read_tables
from league.imports.queries.old_results import PlannedResults, in_tables, planned_results
from league.imports.work import deal_list, result_list
from league.imports.work.cells import ColumnMeaning, Row, named
from league.models import Season
from league.seasons.queries.season_game import season_game


@dataclass(frozen=True)
class ChosenColumns:
    """The columns that a user chose for a list."""

    indexes: Mapping[str, int]  # by meaning
    day: date | None = None  # the date of all rows, if no column has it
    headed: Sequence[int] = ()  # indexes of the columns headed by a player's name

    @property
    def meanings(self) -> dict[int, str]:
        """The meaning of each chosen column, by index."""
        return {index: meaning for meaning, index in self.indexes.items()} | dict.fromkeys(
            self.headed, deal_list.HEADED
        )

    def as_form_data(self) -> dict[str, Any]:
        """Return the data of the form that chooses these columns; the payload of a job stores it."""
        data: dict[str, Any] = {f"column-{meaning}": str(index) for meaning, index in self.indexes.items()}
        if self.day:
            data["column-on"] = self.day.isoformat()
        if self.headed:
            data[f"column-{deal_list.HEADED}"] = list(map(str, self.headed))
        return data

    @classmethod
    def from_form_data(cls, data: Mapping[str, Any]) -> Self:
        """Read what `as_form_data` returned."""
        fields = {name.removeprefix("column-"): value for name, value in data.items()}
        headed = fields.pop(deal_list.HEADED, ())
        on = fields.pop("on", None)
        return cls(
            {meaning: int(index) for meaning, index in fields.items()},
            date.fromisoformat(on) if on else None,
            list(map(int, headed)),
        )


class ListKind(Protocol):
    """How a list of one kind is read for a season."""

    name: str  # also of its page, and of what is remembered of its columns

    @property
    def meanings(self) -> Mapping[str, ColumnMeaning]:
        """What its columns may be."""
        ...

    @property
    def required(self) -> Collection[str]:
        """The meanings that a list cannot do without."""
        ...

    def guess(self, rows: Sequence[Row], remembered: Mapping[str, str]) -> dict[str, Any]:
        """Return what the form begins with: what its columns are called, here or by what is remembered."""
        ...

    def planned(
        self, rows: Sequence[Row], columns: ChosenColumns, answers: Mapping[int, str], today: date, *, as_counted: bool
    ) -> PlannedResults:
        """Return what would become of the list."""
        ...

    def bring_in(
        self,
        rows: Sequence[Row],
        columns: ChosenColumns,
        answers: Mapping[int, str],
        now: datetime,
        *,
        as_counted: bool,
        tell: ReportProgress = report_nothing,
    ) -> PlannedResults:
        """Bring the list in, and return what became of it. Raises ResultsUnanswered or WrongState."""
        ...


class Totals:
    """Lists of totals."""

    name = "totals"
    meanings = result_list.MEANINGS
    required = result_list.REQUIRED

    def __init__(self, season: Season) -> None:
        self.season = season

    def guess(self, rows: Sequence[Row], remembered: Mapping[str, str]) -> dict[str, Any]:
        head = rows[0][1]
        return _places(_known(head, result_list.meanings_of(head), remembered, self.meanings))

    def planned(
        self,
        rows: Sequence[Row],
        columns: ChosenColumns,
        answers: Mapping[int, str],
        today: date,
        *,
        as_counted: bool = False,
    ) -> PlannedResults:
        listed = result_list.read_results(rows, columns.indexes, columns.day)
        return planned_results(self.season, in_tables(listed), answers, today)

    def bring_in(
        self,
        rows: Sequence[Row],
        columns: ChosenColumns,
        answers: Mapping[int, str],
        now: datetime,
        *,
        as_counted: bool = False,
        tell: ReportProgress = report_nothing,
    ) -> PlannedResults:
        listed = result_list.read_results(rows, columns.indexes, columns.day)
        return bring_in_results(self.season, listed, answers, now=now, report=tell)


class Deals:
    """Lists of deals of the season's game."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.game = season_game(season)
        self.name = f"deals {self.game.slug}"
        resting = season.resting_size
        self.playing = {size - (size == resting) for size in season.table_sizes}
        self.meanings = deal_list.meanings(
            self.game,
            self.playing,
            one_rests=resting is not None,
            might_rest=self.game.may_rest and resting is None,
        )
        self.required = deal_list.required(self.game, self.playing)

    def guess(self, rows: Sequence[Row], remembered: Mapping[str, str]) -> dict[str, Any]:
        head = rows[0][1]
        found = _known(head, named(head, self.meanings), remembered, self.meanings)
        guessed = _places(found)
        if not any(name.startswith(f"{deal_list.PLAYER}.") for name in found):
            seen = [remembered.get(cell) for cell in head]
            places = [place for place in deal_list.headed_by_players(rows, found) if seen[place] is None]
            places += [place for place, meaning in enumerate(seen) if meaning == deal_list.HEADED]
            guessed["column-headed"] = list(map(str, sorted(places)))
        return guessed

    def planned(
        self,
        rows: Sequence[Row],
        columns: ChosenColumns,
        answers: Mapping[int, str],
        today: date,
        *,
        as_counted: bool = False,
    ) -> PlannedResults:
        tables = read_tables(self.season, self.listed(rows, columns))
        return planned_results(self.season, tables, answers, today, as_counted=as_counted)

    def bring_in(
        self,
        rows: Sequence[Row],
        columns: ChosenColumns,
        answers: Mapping[int, str],
        now: datetime,
        *,
        as_counted: bool = False,
        tell: ReportProgress = report_nothing,
    ) -> PlannedResults:
        listed = self.listed(rows, columns)
        return bring_in_deals(self.season, listed, answers, now=now, as_counted=as_counted, report=tell)

    def listed(self, rows: Sequence[Row], columns: ChosenColumns) -> list[ListedDeal]:
        cells = deal_list.cells_of(self.game, self.playing)
        return deal_list.read_deals(rows, columns.indexes, columns.headed, columns.day, cells)


def _places(found: Mapping[str, int]) -> dict[str, Any]:
    return {f"column-{meaning}": str(place) for meaning, place in found.items()}


def _known(
    head: Sequence[str],
    guessed: Mapping[str, int],
    remembered: Mapping[str, str],
    meanings: Mapping[str, ColumnMeaning],
) -> dict[str, int]:
    """Return the places of columns as they are remembered by what they are called, and of others as guessed."""
    asked = ((remembered.get(cell, ""), place) for place, cell in enumerate(head))
    before = {meaning: place for meaning, place in asked if meaning in meanings}
    return {meaning: place for meaning, place in guessed.items() if head[place] not in remembered} | before
