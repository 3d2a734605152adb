"""The list of a tournament's registrations as a spreadsheet: rows for the export, and reading an imported list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.imports.queries.list_file import UnreadableList, read_rows
from league.imports.queries.member_list import check_phone
from league.imports.queries.spreadsheet_cells import Cell, strip_formula_mark
from league.models import Tournament, TournamentUnit
from players.names import normalize_spaces, without_accents

MAX_LINES: Final = 401  # with the header
MAX_LENGTHS: Final = {"name": 80, "email": 254, "phone": 30}  # of the cells of a player, by field
TEAM_COLUMN: Final = ("team", 0)
CLUB_COLUMN: Final = ("club", 0)
MAX_TEAM_LENGTH: Final = 60
MAX_CLUB_LENGTH: Final = 80

Column = tuple[str, int]  # the field, and the player's number from 1, or 0 for a column of the whole unit


class ListedUnit(NamedTuple):
    """A line of an imported list of registrations: the cells of each player, by the player's number from 1.

    `problem` is the reason why the line can't be imported, or "".
    """

    line: int
    players: Mapping[int, Mapping[str, str]]
    team: str = ""
    club_id: int | None = None  # of the TournamentClub of the unit
    problem: str | Promise = ""

    @property
    def names(self) -> str:
        return " – ".join(cells["name"] for _number, cells in sorted(self.players.items()) if cells.get("name"))


def registration_rows(tournament: Tournament, units: Iterable[TournamentUnit]) -> Iterator[list[Cell]]:
    """Yield the header of the spreadsheet, then a row for each registration. Amounts are like "7.50"."""
    columns = list(_column_titles(tournament.unit_size))
    yield [
        *(_column_titles(tournament.unit_size)[column] for column in columns),
        _("State"),
        _("Paid"),
        _("Paid by"),
        _("Returned"),
    ]
    for unit in units:
        values = {TEAM_COLUMN: unit.name, CLUB_COLUMN: str(unit.plays_for or "")}
        for number, member in enumerate(unit.members, 1):
            values |= {(field, number): getattr(member, field) for field in MAX_LENGTHS}
        cells: list[Cell] = [values.get(column, "") for column in columns]
        paid, returned = (f"{cents // 100}.{cents % 100:02}" for cents in (unit.paid, unit.returned))
        yield [*cells, str(unit.get_state_display()), paid, str(unit.get_payment_kind_display()), returned]


def _column_titles(unit_size: int) -> dict[Column, str]:
    titles: dict[Column, str] = {}
    for number in range(1, unit_size + 1):
        params = {"number": number}
        titles["name", number] = _("Player %(number)s") % params
        titles["email", number] = _("E-mail of player %(number)s") % params
        titles["phone", number] = _("Telephone of player %(number)s") % params
    titles[TEAM_COLUMN] = _("Name of the team")
    titles[CLUB_COLUMN] = _("Club")
    return titles


def read_units(text: str, tournament: Tournament) -> list[ListedUnit]:
    """Parse a list of registrations. Raise UnreadableList if its header lacks the first player's name.

    The header has the titles of the exported list, in any of the site's languages.
    """
    (_line, header), *lines = read_rows(text, MAX_LINES)
    title_columns = _columns_by_title(tournament.unit_size)
    columns = {
        index: title_columns[without_accents(normalize_spaces(cell))]
        for index, cell in enumerate(header)
        if without_accents(normalize_spaces(cell)) in title_columns
    }
    if ("name", 1) not in columns.values():
        titles = ", ".join(_column_titles(tournament.unit_size).values())
        raise UnreadableList(_("The first line names the columns as the export does: %(titles)s") % {"titles": titles})
    clubs = {without_accents(name): pk for pk, name in tournament.clubs.values_list("pk", "name")}
    return [_parse_line(number, row, columns, clubs) for number, row in lines]


def _columns_by_title(unit_size: int) -> dict[str, Column]:
    """Return the columns by their title in each of the site's languages, without accents."""
    columns_by_label: dict[str, Column] = {}
    for language, _label in settings.LANGUAGES:
        with translation.override(language):
            columns_by_label |= {without_accents(title): column for column, title in _column_titles(unit_size).items()}
    return columns_by_label


def _parse_line(line: int, row: Sequence[str], columns: Mapping[int, Column], clubs: Mapping[str, int]) -> ListedUnit:
    team = club = ""
    players: dict[int, dict[str, str]] = {}
    for index, (field, number) in columns.items():
        cell = strip_formula_mark(normalize_spaces(row[index])) if index < len(row) else ""
        if (field, number) == TEAM_COLUMN:
            team = cell
        elif (field, number) == CLUB_COLUMN:
            club = cell
        elif cell:
            players.setdefault(number, {})[field] = cell
    club_id = clubs.get(without_accents(club))
    problem = _find_problem(players, team)
    if not problem and club and club_id is None:
        problem = _("This club does not take part in the tournament: %(club)s") % {"club": club[:MAX_CLUB_LENGTH]}
    return ListedUnit(line, players, team, club_id, problem)


def _find_problem(players: Mapping[int, Mapping[str, str]], team: str) -> str | Promise:
    """Return the reason why a line can't be imported, or "". The name of the club is not checked here."""
    if not players:
        return gettext_lazy("The name is missing.")
    for cells in players.values():
        if not cells.get("name"):
            return gettext_lazy("The name is missing.")
        if any(len(value) > MAX_LENGTHS[field] for field, value in cells.items()) or len(team) > MAX_TEAM_LENGTH:
            return gettext_lazy("A cell is too long.")
        try:
            if email := cells.get("email"):
                validate_email(email)
            if phone := cells.get("phone"):
                check_phone(phone)
        except ValidationError as error:
            return " ".join(error.messages)
    return ""
