"""Reads a list of people as a spreadsheet gives it: the first line names the columns, or each line is a name alone.

Knows no rows of the database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.imports.queries.list_file import UnreadableList, rows_of
from league.imports.queries.listed_people import ListedPerson
from league.imports.queries.spreadsheet_cells import unmarked
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
            "member no",
            "membership no",
            "licence",
            "license",
            "licence number",
        }
        | {"numero", "matricule", "adherent"}
        | {
            f"{number} {of}"
            for number in ("n°", "no", "numero")
            for of in ("licence", "de licence", "adherent", "d'adherent", "membre", "de membre")
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
OF_CONTACT = {"email", "phone"}  # of which people have several
MOST_LINES = 2_000
TITLES = 10  # lines at most that stand above the one that names the columns
LENGTHS = {"given_name": 60, "family_name": 60, "number": 20, "email": 254, "phone": 30}
WORD = re.compile(r"n°|[^\W_]+")
SMALL_WORDS = {"de", "d", "du", "des", "l", "la", "le", "les", "the", "of", "s"}
ONLY_WHOLE = {("number",), ("no",), ("nr",), ("n°",), ("numero",), ("name",)}  # beside a word they say that word's
MOBILE = {"mobile", "portable", "gsm", "cell"}
# Beside one of these a title is not the person's own, or says something about the number.
OF_ANOTHER = {
    *("conjoint", "conjointe", "spouse", "partner", "pere", "mere", "parent", "tuteur", "urgence", "emergency"),
    *("club", "team", "equipe", "user", "utilisateur", "street", "rue", "city", "ville", "jeune", "fille", "maiden"),
    *("naissance", "birth", "date", "type", "valid", "validite", "fin", "paid", "payee", "paye", "prix", "fee"),
}
PHONE = re.compile(r"[+\d][\d ()./-]{3,29}")


def read_list(text: str) -> list[ListedPerson]:
    """Return the people of a list, cells apart by tabs, semicolons or commas. Raises UnreadableList."""
    head, rows = _parted(text)
    if not head:
        return list(_people({"name": 0}, rows))
    columns = _columns(head)
    if not rows:
        raise UnreadableList(_("There is no line below the one that names the columns."))
    if columns.keys() & NAMES == {"family_name"}:  # "Nom" alone: both names
        _refuse_half_names(head, columns, rows)
        columns["name"] = columns.pop("family_name")
    return list(_people(columns, rows))


def unread_columns(text: str) -> list[str]:
    """Return what those columns of a list are called that are not read. Raises UnreadableList."""
    head, _rows = _parted(text)
    return _unread(head, _columns(head)) if head else []


def _unread(head: Sequence[str], columns: Mapping[str, int]) -> list[str]:
    return [tidy(cell) for place, cell in enumerate(head) if cell.strip() and place not in columns.values()]


def _refuse_half_names(head: Sequence[str], columns: Mapping[str, int], rows: Sequence[tuple[int, list[str]]]) -> None:
    """Refuse family names alone, beside a column that may have the given names. Raises UnreadableList."""
    unread, place = _unread(head, columns), columns["family_name"]
    names = [name for _line, row in rows if (name := tidy(row[place]) if place < len(row) else "")]
    if unread and 2 * sum(" " not in name for name in names) >= len(names):
        message = _(
            "The column “%(family)s” has family names, and no column of given names was found. These titles were not "
            "understood: %(unread)s. Rename the one of the given names to “Given name”, and look again."
        )
        raise UnreadableList(message % {"family": tidy(head[place]), "unread": ", ".join(unread)})


def _parted(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the row that names the columns, and the rows below; no such row where each is a name alone.

    It is the first that names a column with names, below titles; else the first of all. Raises UnreadableList.
    """
    numbered = rows_of(text, MOST_LINES)
    if _are_names([row for _line, row in numbered]):
        return [], numbered
    named = (place for place, (_line, row) in enumerate(numbered[:TITLES]) if _names_columns(row))
    place = next(named, 0)
    return numbered[place][1], numbered[place + 1 :]


def _are_names(rows: list[list[str]]) -> bool:
    """Return whether each row has its first cell alone, and the first of all is not what a column is called."""
    return all(row[0].strip() and not any(map(str.strip, row[1:])) for row in rows) and _column(rows[0][0]) is None


def _names_columns(row: Sequence[str]) -> bool:
    """Return whether a row names a column with names; a title above the list may begin like one, and stands alone."""
    if any(_words(cell) in KNOWN and KNOWN[_words(cell)] in NAMES for cell in row):
        return True
    return sum(bool(cell.strip()) for cell in row) > 1 and not NAMES.isdisjoint(map(_column, row))


def _words(title: str) -> tuple[str, ...]:
    """Return a title's words without accents and small words, each in the singular."""
    words = (word for word in WORD.findall(plain(title)) if word not in SMALL_WORDS)
    return tuple(word.removesuffix("s") if len(word) > 3 else word for word in words)


KNOWN: Mapping[tuple[str, ...], str] = {_words(title): name for name, titles in COLUMNS.items() for title in titles}


def _column(cell: str) -> str | None:
    """Return the column that a title names, if it does: by a known title, or one that begins or ends with it."""
    words = _words(cell)
    if words in KNOWN:
        return KNOWN[words]
    if not OF_ANOTHER.isdisjoint(words):
        return None
    ends = {part for size in range(1, len(words)) for part in (words[:size], words[-size:])} - ONLY_WHOLE
    named = {KNOWN[part] for part in ends if part in KNOWN}
    return named.pop() if len(named) == 1 else None


def _columns(head: list[str]) -> dict[str, int]:
    """Return the place of each column that is known. Raises UnreadableList without one for names, or with one twice.

    A title that is known wins over one that only begins or ends so, and a mobile telephone over another.
    """
    found: dict[str, list[int]] = {}
    for place, cell in enumerate(head):
        if name := _column(cell):
            found.setdefault(name, []).append(place)
    columns: dict[str, int] = {}
    for name, places in found.items():
        known = [place for place in places if _words(head[place]) in KNOWN]
        if len(known) > 1 and name not in OF_CONTACT:
            raise UnreadableList(_("Two columns are called alike: %(name)s.") % {"name": tidy(head[known[1]])})
        mobile = [place for place in places if name == "phone" and not MOBILE.isdisjoint(_words(head[place]))]
        columns[name] = (mobile or known or places)[0]
    if columns.keys() & NAMES == {"name", "given_name"} and _words(head[columns["name"]]) == ("name",):
        columns["family_name"] = columns.pop("name")  # "Name" beside "First name" is the other one
    if not columns.keys() & NAMES:
        raise UnreadableList(
            _("The first line must name the columns, at least one with names: Name, or Given name and Family name.")
        )
    return columns


def _people(columns: Mapping[str, int], rows: list[tuple[int, list[str]]]) -> Iterator[ListedPerson]:
    for line, row in rows:
        cells = {name: unmarked(tidy(row[place])) if place < len(row) else "" for name, place in columns.items()}
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
