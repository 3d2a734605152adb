"""What the cells of a list say: a date, a number, a name; and what its columns are called. Knows no database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.imports.queries.listed_people import ListedPerson
from league.imports.queries.member_list import LENGTHS
from league.imports.queries.spreadsheet_cells import unmarked
from league.models.date_bounds import check_date
from players.names import plain, tidy
from scoring.fields import Label

MOST_LINES: Final = 12_001  # the first of them names the columns
# As spreadsheets write a date: the day first, as both languages do here, or as a computer sorts it.
DATES: Final = ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%y")
Row = tuple[int, list[str]]


class ColumnMeaning(NamedTuple):
    """What a column of the list may be: its label, and what it may be called, without accents.

    `rare` columns are those that few lists have.
    """

    label: Label
    called: frozenset[str]
    rare: bool = False


class Cells:
    """A row by what its columns are."""

    def __init__(self, row: Sequence[str], columns: Mapping[str, int]) -> None:
        self.row, self.columns = row, columns

    def __getitem__(self, meaning: str) -> str:
        place = self.columns.get(meaning)
        return "" if place is None else self.at(place)

    def at(self, place: int) -> str:
        """Return what stands in a place, without the mark that keeps spreadsheets from taking it for a formula."""
        return unmarked(tidy(self.row[place])) if place < len(self.row) else ""


def named(head: Sequence[str], meanings: Mapping[str, ColumnMeaning]) -> dict[str, int]:
    """Return the place of each column whose name is known; the first of two that are called alike."""
    found: dict[str, int] = {}
    for place, cell in enumerate(head):
        called = tidy(plain(cell))
        for meaning, of in meanings.items():
            if called in of.called and place not in found.values():
                found.setdefault(meaning, place)
    return found


def listed_person(line: int, whole: str, number: str = "", *, place: int = 0) -> ListedPerson:
    """Return who is called so: the given name first."""
    given, _blank, family = whole.partition(" ")
    person = ListedPerson(line, given, family, number, place=place)
    return person._replace(problem=next(name_problems(person), ""))


def name_problems(person: ListedPerson) -> Iterator[str | Promise]:
    """Yield why nobody can be called so."""
    if not person.given_name and not person.number:
        yield _("The name is missing.")
    for name in ("given_name", "family_name", "number"):
        if len(given := getattr(person, name)) > LENGTHS[name]:
            yield _("“%(given)s” is longer than %(most)s characters.") % {"given": given[:40], "most": LENGTHS[name]}


def day_in(text: str) -> date:
    """Return a date, as a spreadsheet writes it. Raises ValueError with words."""
    for form in DATES:
        try:
            day = datetime.strptime(text, form).date()  # noqa: DTZ007 (a date has no zone)
        except ValueError:
            continue
        try:
            check_date(day)
        except ValidationError as refused:
            raise ValueError(*refused.messages) from None
        return day
    raise ValueError(_("“%(given)s” is no date: write it as 2026-05-31 or 31/05/2026.") % {"given": text[:40]})


def number_in(text: str, label: Label, least: int, most: int) -> int:
    """Return a whole number, with a sign of any kind. Raises ValueError with words."""
    plainly = text.replace("\N{MINUS SIGN}", "-").replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")
    try:
        number = int(plainly) if plainly.isascii() and len(plainly) < 10 else None
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        raise ValueError(
            _("%(column)s: “%(given)s” is no whole number from %(least)s to %(most)s.")
            % {"column": label, "given": text[:40], "least": least, "most": most}
        )
    return number
