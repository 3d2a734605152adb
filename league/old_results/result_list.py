"""Reads a list of results as a spreadsheet gives it: the first line names the columns.

Knows no rows of the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.people.member_list import COLUMNS as OF_PEOPLE
from league.people.member_list import LENGTHS
from league.results.listed_people import ListedPerson
from league.results.old_results import MOST_DEALS, MOST_POINTS, ListedSeat
from players.names import plain, tidy
from scoring.fields import Label

MOST_LINES: Final = 12_001  # the first of them names the columns
# As spreadsheets write a date: the day first, as both languages do here, or as a computer sorts it.
DATES: Final = ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%y")


class ColumnMeaning(NamedTuple):
    """What a column of the list may be: its label, and what it may be called, without accents."""

    label: Label
    called: frozenset[str]


MEANINGS: Final[Mapping[str, ColumnMeaning]] = {
    "day": ColumnMeaning(_("Date"), frozenset({"date", "day", "evening", "jour", "soiree"})),
    "round": ColumnMeaning(_("Round"), frozenset({"round", "tour", "manche", "ronde"})),
    "table": ColumnMeaning(_("Table"), frozenset({"table", "n° de table"})),
    "seat": ColumnMeaning(_("Seat"), frozenset({"seat", "place", "position"})),
    "name": ColumnMeaning(_("Name"), OF_PEOPLE["name"] | {"player", "joueur", "joueuse"}),
    "given_name": ColumnMeaning(_("Given name"), OF_PEOPLE["given_name"]),
    "family_name": ColumnMeaning(_("Family name"), OF_PEOPLE["family_name"]),
    "number": ColumnMeaning(_("Member number"), OF_PEOPLE["number"]),
    "points": ColumnMeaning(_("Points"), frozenset({"points", "total", "score", "pts"})),
    "deals": ColumnMeaning(_("Number of deals"), frozenset({"deals", "donnes", "number of deals", "nombre de donnes"})),
}
REQUIRED: Final = ("day", "table", "points")
Row = tuple[int, list[str]]


def meanings_of(head: Sequence[str]) -> dict[str, int]:
    """Return the place of each column whose name is known; the first of two that are called alike."""
    found: dict[str, int] = {}
    for place, cell in enumerate(head):
        called = tidy(plain(cell))
        for meaning, of in MEANINGS.items():
            if called in of.called:
                found.setdefault(meaning, place)
    if "family_name" in found and not found.keys() & {"given_name", "name"}:
        found["name"] = found.pop("family_name")  # “Nom” alone is the whole name
    return found


def read_results(rows: Sequence[Row], columns: Mapping[str, int]) -> list[ListedSeat]:
    """Return the lines of a list, whose first row names the columns; each meaning stands in the column of its place."""
    return [_seat(line, _Cells(row, columns)) for line, row in rows[1:]]


class _Cells:
    def __init__(self, row: Sequence[str], columns: Mapping[str, int]) -> None:
        self.row, self.columns = row, columns

    def __getitem__(self, meaning: str) -> str:
        place = self.columns.get(meaning)
        return "" if place is None or place >= len(self.row) else tidy(self.row[place])


def _seat(line: int, cells: _Cells) -> ListedSeat:
    given, family = cells["given_name"], cells["family_name"]
    if whole := cells["name"]:
        given, _blank, family = whole.partition(" ")
    person = ListedPerson(line, given, family, cells["number"])
    try:
        return ListedSeat(
            line,
            person,
            _day(cells["day"]),
            _number(cells["round"] or "1", MEANINGS["round"], 1, 99),
            _number(cells["table"], MEANINGS["table"], 1, 999),
            _number(cells["points"], MEANINGS["points"], -MOST_POINTS, MOST_POINTS),
            _number(cells["seat"], MEANINGS["seat"], 1, 99) if cells["seat"] else None,
            _number(cells["deals"], MEANINGS["deals"], 1, MOST_DEALS) if cells["deals"] else None,
            next(_problems(person), ""),
        )
    except ValueError as wrong:
        return ListedSeat(line, person, problem=str(wrong))


def _problems(person: ListedPerson) -> Iterator[str | Promise]:
    if not person.given_name and not person.number:
        yield _("The name is missing.")
    for name in ("given_name", "family_name", "number"):
        if len(given := getattr(person, name)) > LENGTHS[name]:
            yield _("“%(given)s” is longer than %(most)s characters.") % {"given": given[:40], "most": LENGTHS[name]}


def _day(text: str) -> date:
    for form in DATES:
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007 (a date has no zone)
        except ValueError:
            continue
    raise ValueError(_("“%(given)s” is no date: write it as 2026-05-31 or 31/05/2026.") % {"given": text[:40]})


def _number(text: str, meaning: ColumnMeaning, least: int, most: int) -> int:
    """Return a whole number, with a sign of any kind. Raises ValueError with words."""
    plainly = text.replace("\N{MINUS SIGN}", "-").replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")
    try:
        number = int(plainly) if plainly.isascii() and len(plainly) < 10 else None
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        raise ValueError(
            _("%(column)s: “%(given)s” is no whole number from %(least)s to %(most)s.")
            % {"column": meaning.label, "given": text[:40], "least": least, "most": most}
        )
    return number
