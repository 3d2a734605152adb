from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.imports.queries.list_file import read_rows
from league.imports.queries.listed_people import ListedPerson
from league.imports.queries.member_list import MAX_LENGTHS
from league.imports.queries.spreadsheet_cells import strip_formula_mark
from league.models.date_bounds import check_date
from players.names import normalize_spaces, without_accents
from scoring.fields import Label

MAX_LINES: Final = 12_001  # with the header
# Formats of dates: ISO, and as English and French spreadsheets write dates, day first.
DATE_FORMATS: Final = ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%y")
Row = tuple[int, list[str]]  # number of the line, from 1, and its cells


class ColumnMeaning(NamedTuple):
    """A possible meaning of a column in an imported list: its label in the form, and its headings without accents.

    A `rare` meaning is hidden in the form at first.
    """

    label: Label
    headings: frozenset[str]
    rare: bool = False


class LineCells:
    """The cells of a line: `cells[meaning]` is the text of the column with this meaning, "" if there is none.

    `columns` are the indexes of columns by meaning.
    """

    def __init__(self, row: Sequence[str], columns: Mapping[str, int]) -> None:
        self.row, self.columns = row, columns

    def __getitem__(self, meaning: str) -> str:
        index = self.columns.get(meaning)
        return "" if index is None else self.cell(index)

    def cell(self, index: int) -> str:
        return strip_formula_mark(normalize_spaces(self.row[index])) if index < len(self.row) else ""


def read_results_rows(text: str) -> list[Row]:
    """Parse the text of a list of results. The first row is the header: titles above it, of one cell, are left out.

    Raise UnreadableList.
    """
    rows = read_rows(text, MAX_LINES)
    header = next((index for index, (_line, row) in enumerate(rows) if sum(map(bool, map(str.strip, row))) > 1), 0)
    return rows[header:]


def match_columns(head: Sequence[str], meanings: Mapping[str, ColumnMeaning]) -> dict[str, int]:
    """Return the index of the first column with a heading of each meaning. Meanings without a column are left out."""
    indexes: dict[str, int] = {}
    for index, cell in enumerate(head):
        heading = normalize_spaces(without_accents(cell))
        for meaning, column in meanings.items():
            if heading in column.headings and index not in indexes.values():
                indexes.setdefault(meaning, index)
    return indexes


def listed_person(line: int, full_name: str, number: str = "", *, position: int = 0) -> ListedPerson:
    given_name, _blank, family_name = full_name.partition(" ")
    person = ListedPerson(line, given_name, family_name, number, position=position)
    return person._replace(problem=next(name_problems(person), ""))


def name_problems(person: ListedPerson) -> Iterator[str | Promise]:
    if not person.given_name and not person.number:
        yield _("The name is missing.")
    for name in ("given_name", "family_name", "number"):
        if len(text := getattr(person, name)) > MAX_LENGTHS[name]:
            yield _("“%(given)s” is longer than %(most)s characters.") % {"given": text[:40], "most": MAX_LENGTHS[name]}


def parse_date(text: str) -> date:
    """Parse a date in one of DATE_FORMATS. Raise ValueError with a translated message."""
    for pattern in DATE_FORMATS:
        try:
            day = datetime.strptime(text, pattern).date()  # noqa: DTZ007 (a date has no zone)
        except ValueError:
            continue
        try:
            check_date(day)
        except ValidationError as refused:
            raise ValueError(*refused.messages) from None
        return day
    raise ValueError(_("“%(given)s” is no date: write it as 2026-05-31 or 31/05/2026.") % {"given": text[:40]})


def parse_number(text: str, label: Label, minimum: int, maximum: int) -> int:
    """Parse a whole number with any kind of minus sign and spaces. Raise ValueError with a translated message."""
    digits = text.replace("\N{MINUS SIGN}", "-").replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")
    try:
        number = int(digits) if digits.isascii() and len(digits) < 10 else None
    except ValueError:
        number = None
    if number is None or not minimum <= number <= maximum:
        raise ValueError(
            _("%(column)s: “%(given)s” is no whole number from %(least)s to %(most)s.")
            % {"column": label, "given": text[:40], "least": minimum, "most": maximum}
        )
    return number
