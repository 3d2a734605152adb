from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from django.utils.translation import gettext_lazy as _

from league.imports.queries.import_plan import ListedSeat
from league.imports.queries.listed_people import ListedPerson
from league.imports.queries.member_list import COLUMN_HEADINGS
from league.imports.work.cells import (
    ColumnMeaning,
    LineCells,
    Row,
    listed_person,
    match_columns,
    name_problems,
    parse_date,
    parse_number,
)
from league.models.table_limits import MAX_TABLE_DEALS, MAX_TABLE_POINTS

COLUMN_MEANINGS: Final[Mapping[str, ColumnMeaning]] = {
    "day": ColumnMeaning(_("Date"), frozenset({"date", "day", "evening", "jour", "soiree"})),
    "round": ColumnMeaning(_("Round"), frozenset({"round", "tour", "manche", "ronde"})),
    "table": ColumnMeaning(_("Table"), frozenset({"table", "n° de table"})),
    "seat": ColumnMeaning(_("Seat"), frozenset({"seat", "place", "position"})),
    "name": ColumnMeaning(_("Name"), COLUMN_HEADINGS["name"] | {"player", "joueur", "joueuse"}),
    "given_name": ColumnMeaning(_("Given name"), COLUMN_HEADINGS["given_name"]),
    "family_name": ColumnMeaning(_("Family name"), COLUMN_HEADINGS["family_name"]),
    "number": ColumnMeaning(_("Member number"), COLUMN_HEADINGS["number"]),
    "points": ColumnMeaning(_("Points"), frozenset({"points", "total", "score", "pts"})),
    "deals": ColumnMeaning(_("Number of deals"), frozenset({"deals", "donnes", "number of deals", "nombre de donnes"})),
}
REQUIRED_MEANINGS: Final = ("table", "points")


def guess_columns(head: Sequence[str]) -> dict[str, int]:
    columns = match_columns(head, COLUMN_MEANINGS)
    if "family_name" in columns and not columns.keys() & {"given_name", "name"}:
        columns["name"] = columns.pop("family_name")  # “Nom” alone is the full name
    return columns


def read_results(rows: Sequence[Row], columns: Mapping[str, int], day: date | None = None) -> list[ListedSeat]:
    """Parse the rows of a list of totals. The first row is the header. A line that cannot be parsed has a `problem`.

    `columns` has the indexes of columns by meaning. `day` is the date of all lines, if no column has the date.
    """
    return [_parse_seat(line, LineCells(row, columns), day) for line, row in rows[1:]]


def _parse_seat(line: int, cells: LineCells, day: date | None) -> ListedSeat:
    if full_name := cells["name"]:
        person = listed_person(line, full_name, cells["number"])
    else:
        person = ListedPerson(line, cells["given_name"], cells["family_name"], cells["number"])
    seat = ListedSeat(line, person)
    try:  # a line with a problem still gets its date, round and table, if they can be parsed
        seat = seat._replace(day=day or _parse_required_date(cells["day"]), round=0, table=line)
        round_number = parse_number(cells["round"] or "1", COLUMN_MEANINGS["round"].label, 1, 99)
        table = parse_number(cells["table"], COLUMN_MEANINGS["table"].label, 1, 999)
        seat = seat._replace(round=round_number, table=table)
        return ListedSeat(
            line,
            person,
            seat.day,
            round_number,
            table,
            parse_number(cells["points"], COLUMN_MEANINGS["points"].label, -MAX_TABLE_POINTS, MAX_TABLE_POINTS),
            parse_number(cells["seat"], COLUMN_MEANINGS["seat"].label, 1, 99) if cells["seat"] else None,
            parse_number(cells["deals"], COLUMN_MEANINGS["deals"].label, 1, MAX_TABLE_DEALS)
            if cells["deals"]
            else None,
            next(name_problems(person), ""),
        )
    except ValueError as wrong:
        return seat._replace(problem=str(wrong))


def _parse_required_date(text: str) -> date:
    if not text:
        raise ValueError(_("The date is missing."))
    return parse_date(text)
