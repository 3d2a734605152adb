"""The content of a printed score sheet: seats, one row per deal, columns for the codes of a deal, the QR code for
phones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from league.models import Season, Table
from league.models.season import TableEnd
from league.seasons.queries.season_game import game_with_evening_rules, game_with_season_rules
from league.sheets.forms.row import RESTING_SEAT_FIELD, row_columns
from league.sheets.queries.deal_scores import default_resting_seats
from league.sheets.queries.table_end import deals_needed
from league.tournaments.queries.playing_units import unit_numbers
from league.tournaments.queries.units import round_end_words
from league.web.qr_code import qr_code_svg
from scoring.game import Game
from scoring.phrases import column_label

SPARE_ROWS = 2  # additional rows for mistakes
DEFAULT_ROWS = 14  # used if a table does not end after a number of deals
MAX_ROWS = 60  # these fill two pages
HALF_PAGE_ROWS = 7  # with this number or fewer, two sheets fit on a page
MAX_TALL_ROWS = 16  # with this number or fewer, the rows can be tall
MAX_PORTRAIT_SEATS = 6


class PrintedSeat(NamedTuple):
    number: int
    name: str


class PrintedRow(NamedTuple):
    """A row of a printed sheet, for one deal. `number` is None for a spare row."""

    number: int | None
    cells: tuple[str, ...]


class PrintedSheet(NamedTuple):
    """The printed sheet of a table.

    `columns` are the headings of a deal's cells, `sides` the headings of the totals. In a tournament, `limits`
    describes the end of the round, and `units` the numbers of the units (pairs or teams) with their seats.
    """

    table: Table
    seats: list[PrintedSeat]
    columns: list[str]
    sides: list[str]
    rows: list[PrintedRow]
    legend: list[str]
    qr_code: SafeString | None  # SVG
    limits: str = ""
    units: Sequence[str] = ()

    @property
    def is_wide(self) -> bool:
        return self.table.size > MAX_PORTRAIT_SEATS

    @property
    def is_half_page(self) -> bool:
        return len(self.rows) <= HALF_PAGE_ROWS and not self.is_wide

    @property
    def has_tall_rows(self) -> bool:
        return len(self.rows) <= MAX_TALL_ROWS and not self.is_wide


def sheets_of_tables(
    tables: Sequence[Table], season: Season, address: Callable[[Table], str] | None
) -> list[PrintedSheet]:
    """Return the printed sheets of the tables, by the house rules of their evening.

    `address` returns the URL in a sheet's QR code; None: print no code.
    """
    numbers = unit_numbers(season.tournament_id)
    limits = round_end_words(season.tournament) if season.tournament else ""
    return [
        _sheet(
            table,
            season,
            game_with_evening_rules(table.round.evening),
            [PrintedSeat(seat.number + 1, str(seat.player)) for seat in table.seats.all()],
            qr_code_svg(address(table)) if address else None,
        )._replace(limits=limits, units=_unit_words(table, numbers))
        for table in tables
    ]


def _unit_words(table: Table, numbers: Mapping[int, int]) -> list[str]:
    """Return the number of each unit (pair or team) with its seats, such as "Seats 1 + 3: no. 12"."""
    seats: dict[int, list[str]] = {}
    for seat in table.seats.all():
        if seat.player_id in numbers:
            seats.setdefault(numbers[seat.player_id], []).append(str(seat.number + 1))
    return [
        ngettext("Seat %(seats)s: no. %(number)s", "Seats %(seats)s: no. %(number)s", len(own_seats))
        % {"seats": " + ".join(own_seats), "number": number}
        for number, own_seats in seats.items()
    ]


def blank_sheet(season: Season, size: int) -> PrintedSheet:
    """Return a sheet without names for a table of `size` seats."""
    table = Table(size=size, one_rests=size == season.resting_size)
    seats = [PrintedSeat(seat + 1, "") for seat in range(size)]
    return _sheet(table, season, game_with_season_rules(season), seats, None)


def _sheet(
    table: Table, season: Season, game: Game, seats: list[PrintedSeat], qr_code: SafeString | None
) -> PrintedSheet:
    columns = [column for column in row_columns(game, table) if not column.second_line]
    rest_columns = [column.name == RESTING_SEAT_FIELD for column in columns]
    return PrintedSheet(
        table=table,
        seats=seats,
        columns=[column_label(column) for column in columns],
        sides=_sides(game, table, seats),
        rows=_rows(season, table, rest_columns),
        legend=[gettext(text) for text in game.row.legend(table.players_of_deal)],
        qr_code=qr_code,
    )


def _sides(game: Game, table: Table, seats: Sequence[PrintedSeat]) -> list[str]:
    alone = tuple((seat,) for seat in range(table.size))
    # A season that was changed on the repair pages may have a table size that its game does not allow.
    options = game.rules.read_options(game.definition)
    sides = game.rules.sides(table.size, options) if table.size in game.sizes and not table.one_rests else alone
    return [" + ".join(str(seats[seat].number) for seat in side) for side in sides]


def _cells(table: Table, number: int, rest_columns: Sequence[bool]) -> tuple[str, ...]:
    """Return the printed cells of a deal: the resting seats where `rest_columns` is True, "" elsewhere."""
    resting = ", ".join(str(seat + 1) for seat in default_resting_seats(table, number))
    return tuple(resting if is_rest else "" for is_rest in rest_columns)


def _rows(season: Season, table: Table, rest_columns: Sequence[bool]) -> list[PrintedRow]:
    count = _deal_count(season, table)
    total = DEFAULT_ROWS if count is None else min(count + SPARE_ROWS, MAX_ROWS)
    return [
        PrintedRow(number if count is None or number <= count else None, _cells(table, number, rest_columns))
        for number in range(1, total + 1)
    ]


def _deal_count(season: Season, table: Table) -> int | None:
    """Return the number of deals after which the table ends; None if it ends by another rule."""
    deals: int | None = season.end_number if season.end == TableEnd.DEALS else None
    if season.tournament is not None:
        deals = season.tournament.deals  # a round may have other limits too
    return None if deals is None else deals_needed(deals, table.size, one_player_rests=table.one_rests)
