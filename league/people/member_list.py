"""Reads a list of people as a spreadsheet gives it: the first line names the columns, or each line is a name alone.

Knows no rows of the database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.results.listed_people import ListedPerson
from league.web.list_file import UnreadableList, rows_of
from players.names import plain, tidy

# What a column may be called, without accents, in English and in French.
COLUMNS: Mapping[str, frozenset[str]] = {
    "given_name": frozenset({"given name", "first name", "firstname", "prenom"}),
    "family_name": frozenset({"family name", "last name", "lastname", "surname", "nom", "nom de famille"}),
    "name": frozenset({"name", "full name", "nom complet"}),
    "number": frozenset(
        {
            "number",
            "no",
            "nr",
            "n°",
            "no.",
            "member number",
            "membership number",
            "licence",
            "license",
            "licence number",
        }
        | {"numero", "matricule", "adherent"}
        | {
            f"{number} {of}"
            for number in ("n°", "no", "numero")
            for of in ("licence", "de licence", "adherent", "d'adherent")
        }
    ),
    "email": frozenset(
        {"e-mail", "email", "mail", "e-mail address", "email address"}
        | {"courriel", "adresse e-mail", "adresse email", "adresse mail", "adresse electronique"}
    ),
    "phone": frozenset(
        {"phone", "phone number", "telephone", "telephone number", "tel", "tel.", "mobile", "portable"}
        | {"telephone portable", "telephone mobile", "numero de telephone", "n° de telephone"}
    ),
}
NAMES = {"given_name", "family_name", "name"}
MOST_LINES = 2_000
TITLES = 10  # lines at most that stand above the one that names the columns
LENGTHS = {"given_name": 60, "family_name": 60, "number": 20, "email": 254, "phone": 30}
PHONE = re.compile(r"[+\d][\d ()./-]{3,29}")


def read_list(text: str) -> list[ListedPerson]:
    """Return the people of a list, cells apart by tabs, semicolons or commas. Raises UnreadableList."""
    head, rows = _parted(text)
    if not head:
        return list(_people({"name": 0}, rows))
    columns = _columns(head)
    if not rows:
        raise UnreadableList(_("There is no line below the one that names the columns."))
    return list(_people(columns, rows))


def unread_columns(text: str) -> list[str]:
    """Return what those columns of a list are called that are not read. Raises UnreadableList."""
    head, _rows = _parted(text)
    return [tidy(cell) for cell in head if cell.strip() and _column(cell) is None]


def _parted(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the row that names the columns, and the rows below; no such row where each is a name alone.

    It is the first that names a column with names, below titles; else the first of all. Raises UnreadableList.
    """
    numbered = rows_of(text, MOST_LINES)
    if _are_names([row for _line, row in numbered]):
        return [], numbered
    named = (place for place, (_line, row) in enumerate(numbered[:TITLES]) if NAMES & set(map(_column, row)))
    place = next(named, 0)
    return numbered[place][1], numbered[place + 1 :]


def _are_names(rows: list[list[str]]) -> bool:
    """Return whether each row has its first cell alone, and the first of all is not what a column is called."""
    return all(row[0].strip() and not any(map(str.strip, row[1:])) for row in rows) and _column(rows[0][0]) is None


def _column(cell: str) -> str | None:
    """Return the column that a cell of the first line names, if it does."""
    called = tidy(plain(cell))
    return next((name for name, words in COLUMNS.items() if called in words), None)


def _columns(head: list[str]) -> dict[str, int]:
    """Return the place of each column that is known. Raises UnreadableList without one for names, or with one twice."""
    columns: dict[str, int] = {}
    for place, cell in enumerate(head):
        name = _column(cell)
        if name in columns:
            raise UnreadableList(_("Two columns are called alike: %(name)s.") % {"name": tidy(cell)})
        if name:
            columns[name] = place
    if columns.keys() & NAMES == {"family_name"}:  # "Nom" alone: both names
        columns["name"] = columns.pop("family_name")
    if not columns.keys() & {"given_name", "name"}:
        raise UnreadableList(
            _("The first line must name the columns, at least one with names: Name, or Given name and Family name.")
        )
    return columns


def _people(columns: Mapping[str, int], rows: list[tuple[int, list[str]]]) -> Iterator[ListedPerson]:
    for line, row in rows:
        cells = {name: tidy(row[place]) if place < len(row) else "" for name, place in columns.items()}
        if whole := cells.pop("name", ""):
            given, _blank, family = whole.partition(" ")
            cells = {"given_name": given, "family_name": family, **{k: v for k, v in cells.items() if v}}
        given, family, number, email, phone = (cells.get(name, "") for name in LENGTHS)
        yield ListedPerson(line, given, family, number, email, phone, _problem(cells))


def check_phone(text: str) -> None:
    """Refuse what nobody can call. Raises ValidationError."""
    if not PHONE.fullmatch(text):
        raise ValidationError(_("“%(given)s” is no telephone number."), params={"given": text})


def _problem(cells: Mapping[str, str]) -> str | Promise:
    """Return why a line can't be taken, or an empty text."""
    if not cells.get("given_name"):
        return _("The name is missing.")
    for name, most in LENGTHS.items():
        if len(cells.get(name, "")) > most:
            return _("“%(given)s” is longer than %(most)s characters.") % {"given": cells[name][:40], "most": most}
    if email := cells.get("email"):
        try:
            validate_email(email)
        except ValidationError:
            return _("“%(given)s” is no e-mail address.") % {"given": email}
    if phone := cells.get("phone"):
        try:
            check_phone(phone)
        except ValidationError as wrong:
            return wrong.messages[0]
    return ""
