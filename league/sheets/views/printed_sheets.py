"""A printed score sheet: seats, a row for each deal, the grid's columns, the code for phones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from league.models import Season, Seat, Table
from league.models.season import TableEnd
from league.seasons.queries.season_game import season_game
from league.sheets.forms.row import RESTS, row_columns
from league.sheets.queries.deal_scores import table_rests
from league.sheets.queries.table_end import deals_needed
from league.tournaments.queries.playing_units import unit_numbers
from league.web.qr_code import qr_code_svg
from scoring.game import Game
from scoring.phrases import column_label

SPARE_ROWS = 2  # for mistakes
DEFAULT_ROWS = 14  # if the season does not end a table after a number of deals
MAX_ROWS = 60  # on two pages
HALF_PAGE_ROWS = 7  # up to this number another sheet fits on the page
HIGH_ROWS = 16  # up to this number rows can be high
MAX_PORTRAIT_SEATS = 6


class PrintedSeat(NamedTuple):
    number: int
    name: str


class PrintedRow(NamedTuple):
    number: int
    cells: tuple[str, ...]


class PrintedSheet(NamedTuple):
    """The sheet of a table. `columns` are the headings of a deal's cells; `sides` are those of the totals."""

    table: Table
    seats: list[PrintedSeat]
    columns: list[str]
    sides: list[str]
    rows: list[PrintedRow]
    legend: list[str]
    code: SafeString | None

    @property
    def is_wide(self) -> bool:
        return self.table.size > MAX_PORTRAIT_SEATS

    @property
    def is_half(self) -> bool:
        return len(self.rows) <= HALF_PAGE_ROWS and not self.is_wide

    @property
    def is_roomy(self) -> bool:
        return len(self.rows) <= HIGH_ROWS and not self.is_wide


def sheets_of_tables(
    tables: Sequence[Table], season: Season, address: Callable[[Table], str] | None
) -> list[PrintedSheet]:
    """Return the sheets to print. `address` returns a table's link for phones; None prints no code.

    At a tournament, each name has the number of its unit.
    """
    numbers = unit_numbers(season.tournament_id)
    return [
        _sheet(
            table,
            season,
            [PrintedSeat(seat.number + 1, _name(seat, numbers)) for seat in table.seats.all()],
            qr_code_svg(address(table)) if address else None,
        )
        for table in tables
    ]


def _name(seat: Seat, numbers: Mapping[int, int]) -> str:
    if seat.player_id not in numbers:
        return str(seat.player)
    return gettext("%(player)s (no. %(number)s)") % {"player": seat.player, "number": numbers[seat.player_id]}


def blank_sheet(season: Season, size: int) -> PrintedSheet:
    table = Table(size=size, one_rests=size == season.resting_size)
    return _sheet(table, season, [PrintedSeat(seat + 1, "") for seat in range(size)], None)


def _sheet(table: Table, season: Season, seats: list[PrintedSeat], code: SafeString | None) -> PrintedSheet:
    game = season_game(season)
    columns = [column for column in row_columns(game, table) if not column.second_line]
    cells = [column.name == RESTS for column in columns]
    return PrintedSheet(
        table=table,
        seats=seats,
        columns=[column_label(column) for column in columns],
        sides=_sides(game, table, seats),
        rows=[PrintedRow(number, _cells(table, number, cells)) for number in range(1, _row_count(season, table) + 1)],
        legend=[gettext(text) for text in game.row.legend(table.playing)],
        code=code,
    )


def _sides(game: Game, table: Table, seats: Sequence[PrintedSeat]) -> list[str]:
    alone = tuple((seat,) for seat in range(table.size))
    # A season that was changed on the repair pages may have a size that its game has not.
    options = game.rules.read_options(game.definition)
    sides = game.rules.sides(table.size, options) if table.size in game.sizes and not table.one_rests else alone
    return [" + ".join(str(seats[seat].number) for seat in side) for side in sides]


def _cells(table: Table, number: int, cells: Sequence[bool]) -> tuple[str, ...]:
    resting = ", ".join(str(seat + 1) for seat in table_rests(table, number))
    return tuple(resting if is_rest else "" for is_rest in cells)


def _row_count(season: Season, table: Table) -> int:
    if season.end != TableEnd.DEALS or season.end_number is None:
        return DEFAULT_ROWS
    return min(deals_needed(season.end_number, table.size, one_player_rests=table.one_rests) + SPARE_ROWS, MAX_ROWS)
