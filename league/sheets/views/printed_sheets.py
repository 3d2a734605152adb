"""A score sheet as it is printed: who sits where, a row a deal, the grid's columns, the code for phones. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from league.models import Season, Table
from league.models.season import End
from league.seasons.queries.season_game import season_game
from league.sheets.forms.row import RESTS, columns_of
from league.sheets.queries.deal_scores import table_rests
from league.sheets.queries.table_end import deals_needed
from league.web.qr_code import code_of
from scoring.game import Game
from scoring.phrases import column_label

SPARE = 2  # rows for what was written wrong
USUAL = 14  # rows where the season does not end a table after a number of deals
MOST = 60  # rows, on two pages
HALF = 7  # so many rows at most leave half of the page for another table
ROOMY = 16  # so many rows at most can be high
WIDE = 6  # seats above which the sheet lies on its side


class PrintedSeat(NamedTuple):
    """A seat: its printed number and its name, empty on a blank sheet."""

    number: int
    name: str


class PrintedRow(NamedTuple):
    """A deal to be written: its number, and what stands in its cells already."""

    number: int
    cells: tuple[str, ...]


class PrintedSheet(NamedTuple):
    """One table's sheet. `columns` are the headings of the deal's cells, `sides` those of the running totals."""

    table: Table
    places: list[PrintedSeat]
    columns: list[str]
    sides: list[str]
    rows: list[PrintedRow]
    legend: list[str]
    code: SafeString | None

    @property
    def is_wide(self) -> bool:
        """Whether it needs the long side of the page for its columns."""
        return self.table.size > WIDE

    @property
    def is_half(self) -> bool:
        """Whether two of them share a page."""
        return len(self.rows) <= HALF and not self.is_wide

    @property
    def is_roomy(self) -> bool:
        """Whether one page has room for high rows."""
        return len(self.rows) <= ROOMY and not self.is_wide


def filled(tables: Sequence[Table], season: Season, address: Callable[[Table], str] | None) -> list[PrintedSheet]:
    """Return the sheets of tables that were fetched with their seats; with `address`, each with the code of its own."""
    return [
        _paper(
            table,
            season,
            [PrintedSeat(seat.number + 1, str(seat.player)) for seat in table.seats.all()],
            code_of(address(table)) if address else None,
        )
        for table in tables
    ]


def blank(season: Season, size: int) -> PrintedSheet:
    """Return a sheet without names, for a table of that size."""
    table = Table(size=size, one_rests=size == season.resting_size)
    return _paper(table, season, [PrintedSeat(seat + 1, "") for seat in range(size)], None)


def _paper(table: Table, season: Season, places: list[PrintedSeat], code: SafeString | None) -> PrintedSheet:
    game = season_game(season)
    columns = [column for column in columns_of(game, table) if not column.second_line]
    cells = [column.name == RESTS for column in columns]
    return PrintedSheet(
        table=table,
        places=places,
        columns=[column_label(column) for column in columns],
        sides=_sides(game, table, places),
        rows=[PrintedRow(number, _begun(table, number, cells)) for number in range(1, _deals(season, table) + 1)],
        legend=[gettext(text) for text in game.row.legend(table.playing)],
        code=code,
    )


def _sides(game: Game, table: Table, places: Sequence[PrintedSeat]) -> list[str]:
    """Return who has a running total together: everyone alone, or two partners."""
    alone = tuple((seat,) for seat in range(table.size))
    sides = alone if table.one_rests else game.rules.sides(table.size)
    return [" + ".join(str(places[seat].number) for seat in side) for side in sides]


def _begun(table: Table, number: int, cells: Sequence[bool]) -> tuple[str, ...]:
    """Return who sits the deal out unless they agree otherwise; the rest is for the pen."""
    resting = ", ".join(str(seat + 1) for seat in table_rests(table, number))
    return tuple(resting if is_rest else "" for is_rest in cells)


def _deals(season: Season, table: Table) -> int:
    if season.end != End.DEALS or season.end_number is None:
        return USUAL
    return min(deals_needed(season.end_number, table.size, one_rests=table.one_rests) + SPARE, MOST)
