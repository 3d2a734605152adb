"""The two kinds of imported lists: totals, with a line for each player of a table; deals, with a line for each deal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any, Final, Self

from league.actions.imports import ReportProgress, ignore_progress
from league.actions.result_import import import_results
from league.imports.queries.import_plan import ImportPlan, ListedTable, group_by_table, plan_import
from league.imports.queries.listed_deals import ListedDeal, group_and_parse_deals
from league.imports.work import deal_list, result_list
from league.imports.work.cells import ColumnMeaning, Row, match_columns
from league.models import Season
from league.seasons.queries.season_game import game_with_season_rules

EVENING_DATE_FIELD: Final = "on"  # form field: the date of all rows, if no column has it. Jobs store this name


@dataclass(frozen=True)
class ChosenColumns:
    """The columns that the user has chosen for an imported list."""

    indexes: Mapping[str, int]  # indexes of columns by meaning
    day: date | None = None  # the date of all rows, if no column has it
    headed_columns: Sequence[int] = ()  # indexes of the columns headed by a player's name

    @property
    def meanings(self) -> dict[int, str]:
        return {index: meaning for meaning, index in self.indexes.items()} | dict.fromkeys(
            self.headed_columns, deal_list.HEADED_COLUMNS
        )

    def as_form_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {f"column-{meaning}": str(index) for meaning, index in self.indexes.items()}
        if self.day:
            data[f"column-{EVENING_DATE_FIELD}"] = self.day.isoformat()
        if self.headed_columns:
            data[f"column-{deal_list.HEADED_COLUMNS}"] = list(map(str, self.headed_columns))
        return data

    @classmethod
    def from_form_data(cls, data: Mapping[str, Any]) -> Self:
        fields = {name.removeprefix("column-"): value for name, value in data.items()}
        headed_columns = fields.pop(deal_list.HEADED_COLUMNS, ())
        day = fields.pop(EVENING_DATE_FIELD, None)
        return cls(
            {meaning: int(index) for meaning, index in fields.items()},
            date.fromisoformat(day) if day else None,
            list(map(int, headed_columns)),
        )


class ListKind(ABC):
    """A kind of imported list for a season: possible meanings of its columns, and the parsing of its rows."""

    name: str  # key of the remembered columns
    meanings: Mapping[str, ColumnMeaning]
    required: Collection[str]  # meanings that must have a column

    def __init__(self, season: Season) -> None:
        self.season = season

    @abstractmethod
    def guess_columns(self, rows: Sequence[Row], remembered: Mapping[str, str]) -> dict[str, Any]:
        """Return the probable columns, as data of ColumnsForm. `remembered` has the last chosen meanings by heading."""

    @abstractmethod
    def read_tables(self, season: Season, rows: Sequence[Row], columns: ChosenColumns) -> list[ListedTable]: ...

    def plan(
        self,
        rows: Sequence[Row],
        columns: ChosenColumns,
        answers: Mapping[int, str],
        today: date,
        *,
        accept_other_points: bool,
    ) -> ImportPlan:
        tables = self.read_tables(self.season, rows, columns)
        return plan_import(self.season, tables, answers, today, accept_other_points=accept_other_points)

    def import_rows(
        self,
        rows: Sequence[Row],
        columns: ChosenColumns,
        answers: Mapping[int, str],
        now: datetime,
        *,
        accept_other_points: bool,
        report: ReportProgress = ignore_progress,
    ) -> ImportPlan:
        """Import the tables of the list, and return the outcomes. Raise AnswersMissing or WrongState.

        `answers` are the user's choices by `ListedPerson.answer_key`. `report` is called with the progress.
        """
        tables = partial(self.read_tables, rows=rows, columns=columns)
        return import_results(
            self.season, tables, answers, now=now, accept_other_points=accept_other_points, report=report
        )


class TotalsList(ListKind):
    name = "totals"
    meanings = result_list.COLUMN_MEANINGS
    required = result_list.REQUIRED_MEANINGS

    def guess_columns(self, rows: Sequence[Row], remembered: Mapping[str, str]) -> dict[str, Any]:
        head = rows[0][1]
        return _as_form_data(_add_remembered_columns(head, result_list.guess_columns(head), remembered, self.meanings))

    def read_tables(self, season: Season, rows: Sequence[Row], columns: ChosenColumns) -> list[ListedTable]:
        return group_by_table(result_list.read_results(rows, columns.indexes, columns.day))


class DealsList(ListKind):
    def __init__(self, season: Season) -> None:
        super().__init__(season)
        self.game = game_with_season_rules(season)
        self.name = f"deals {self.game.slug}"
        resting = season.resting_size
        self.playing = {size - (size == resting) for size in season.table_sizes}
        self.meanings = deal_list.possible_columns(
            self.game,
            self.playing,
            one_rests=resting is not None,
            might_rest=self.game.may_rest and resting is None,
        )
        self.required = deal_list.required_columns(self.game, self.playing)

    def guess_columns(self, rows: Sequence[Row], remembered: Mapping[str, str]) -> dict[str, Any]:
        head = rows[0][1]
        columns = _add_remembered_columns(head, match_columns(head, self.meanings), remembered, self.meanings)
        guessed = _as_form_data(columns)
        if not any(name.startswith(f"{deal_list.PLAYER_COLUMN}.") for name in columns):
            remembered_meanings = [remembered.get(cell) for cell in head]
            indexes = [
                index for index in deal_list.player_headed_columns(rows, columns) if remembered_meanings[index] is None
            ]
            indexes += [
                index for index, meaning in enumerate(remembered_meanings) if meaning == deal_list.HEADED_COLUMNS
            ]
            guessed[f"column-{deal_list.HEADED_COLUMNS}"] = list(map(str, sorted(indexes)))
        return guessed

    def read_tables(self, season: Season, rows: Sequence[Row], columns: ChosenColumns) -> list[ListedTable]:
        return group_and_parse_deals(season, self.read_deals(rows, columns))

    def read_deals(self, rows: Sequence[Row], columns: ChosenColumns) -> list[ListedDeal]:
        cells = deal_list.cell_meanings(self.game, self.playing)
        return deal_list.read_deals(rows, columns.indexes, columns.headed_columns, columns.day, cells)


def _as_form_data(columns: Mapping[str, int]) -> dict[str, Any]:
    return {f"column-{meaning}": str(index) for meaning, index in columns.items()}


def _add_remembered_columns(
    head: Sequence[str],
    guessed: Mapping[str, int],
    remembered: Mapping[str, str],
    meanings: Mapping[str, ColumnMeaning],
) -> dict[str, int]:
    pairs = ((remembered.get(cell, ""), index) for index, cell in enumerate(head))
    remembered_columns = {meaning: index for meaning, index in pairs if meaning in meanings}
    return {meaning: index for meaning, index in guessed.items() if head[index] not in remembered} | remembered_columns
