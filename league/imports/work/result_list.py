"""Reads a list of totals as a spreadsheet gives it: the first line names the columns.

Knows no rows of the database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from django.utils.translation import gettext_lazy as _

from league.imports.queries.listed_people import ListedPerson
from league.imports.queries.member_list import COLUMNS as OF_PEOPLE
from league.imports.queries.old_results import MOST_DEALS, MOST_POINTS, ListedSeat
from league.imports.work.cells import Cells, ColumnMeaning, Row, day_in, listed_person, name_problems, named, number_in

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
REQUIRED: Final = ("table", "points")


def meanings_of(head: Sequence[str]) -> dict[str, int]:
    """Return the place of each column whose name is known; the first of two that are called alike."""
    found = named(head, MEANINGS)
    if "family_name" in found and not found.keys() & {"given_name", "name"}:
        found["name"] = found.pop("family_name")  # “Nom” alone is the whole name
    return found


def read_results(rows: Sequence[Row], columns: Mapping[str, int], on: date | None = None) -> list[ListedSeat]:
    """Return the lines of a list, whose first row names the columns; each meaning stands in the column of its place.

    `on` is the date of all of them, where no column has it.
    """
    return [_seat(line, Cells(row, columns), on) for line, row in rows[1:]]


def _seat(line: int, cells: Cells, on: date | None) -> ListedSeat:
    if whole := cells["name"]:
        person = listed_person(line, whole, cells["number"])
    else:
        person = ListedPerson(line, cells["given_name"], cells["family_name"], cells["number"])
    seat = ListedSeat(line, person)
    try:  # a line that is wrong belongs where it says, as far as it does
        seat = seat._replace(day=on or _day(cells["day"]), round=0, table=line)
        sitting = number_in(cells["round"] or "1", MEANINGS["round"].label, 1, 99)
        table = number_in(cells["table"], MEANINGS["table"].label, 1, 999)
        seat = seat._replace(round=sitting, table=table)
        return ListedSeat(
            line,
            person,
            seat.day,
            sitting,
            table,
            number_in(cells["points"], MEANINGS["points"].label, -MOST_POINTS, MOST_POINTS),
            number_in(cells["seat"], MEANINGS["seat"].label, 1, 99) if cells["seat"] else None,
            number_in(cells["deals"], MEANINGS["deals"].label, 1, MOST_DEALS) if cells["deals"] else None,
            next(name_problems(person), ""),
        )
    except ValueError as wrong:
        return seat._replace(problem=str(wrong))


def _day(text: str) -> date:
    if not text:
        raise ValueError(_("The date is missing."))
    return day_in(text)
