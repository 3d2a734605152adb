"""Parsing of a list of people, pasted or from a spreadsheet. It has a header, or one name per line. No database."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.imports.queries.list_file import UnreadableList, read_rows
from league.imports.queries.listed_people import ListedPerson
from league.imports.queries.spreadsheet_cells import strip_formula_mark
from players.names import normalize_spaces, without_accents

# Headings of columns, without accents, in English and French.
COLUMN_HEADINGS: Mapping[str, frozenset[str]] = {
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
            f"{number} {suffix}"
            for number in ("n°", "no", "numero")
            for suffix in ("licence", "de licence", "adherent", "d'adherent", "membre", "de membre")
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
NAME_COLUMNS = {"given_name", "family_name", "name"}
REPEATABLE_COLUMNS = {"email", "phone"}  # a list may have several columns of each
MAX_LINES = 2_000  # with the header
MAX_HEADER_ROW = 10  # number of first rows searched for the header
MAX_LENGTHS = {"given_name": 60, "family_name": 60, "number": 20, "email": 254, "phone": 30}
WORD_PATTERN = re.compile(r"n°|[^\W_]+")
IGNORED_WORDS = {"de", "d", "du", "des", "l", "la", "le", "les", "the", "of", "s"}
HEADERS_MATCHED_WHOLE = {
    ("number",),
    ("no",),
    ("nr",),
    ("n°",),
    ("numero",),
    ("name",),
}  # these words count only if they are the whole title of a column
MOBILE_PHONE_WORDS = {"mobile", "portable", "gsm", "cell"}
# A column whose title has one of these words is about another person or thing.
OTHER_SUBJECT_WORDS = {
    *("conjoint", "conjointe", "spouse", "partner", "pere", "mere", "parent", "tuteur", "urgence", "emergency"),
    *("club", "team", "equipe", "user", "utilisateur", "street", "rue", "city", "ville", "jeune", "fille", "maiden"),
    *("naissance", "birth", "date", "type", "valid", "validite", "fin", "paid", "payee", "paye", "prix", "fee"),
}
PHONE_PATTERN = re.compile(r"[+\d][\d ()./-]{3,29}")


def read_people(text: str) -> list[ListedPerson]:
    """Parse a list of people. A line that cannot be parsed has a `problem`. Raise UnreadableList."""
    head, rows = _split_header(text)
    if not head:
        return list(_parse_people({"name": 0}, rows))
    columns = _column_indexes(head)
    if not rows:
        raise UnreadableList(_("There is no line below the one that names the columns."))
    if columns.keys() & NAME_COLUMNS == {"family_name"}:  # "Nom" alone: both names
        _check_given_names(head, columns, rows)
        columns["name"] = columns.pop("family_name")
    return list(_parse_people(columns, rows))


def unknown_columns(text: str) -> list[str]:
    """Return the titles of columns that an import would ignore. Raise UnreadableList."""
    head, _rows = _split_header(text)
    return _unknown_columns(head, _column_indexes(head)) if head else []


def _unknown_columns(head: Sequence[str], columns: Mapping[str, int]) -> list[str]:
    return [normalize_spaces(cell) for index, cell in enumerate(head) if cell.strip() and index not in columns.values()]


def _check_given_names(head: Sequence[str], columns: Mapping[str, int], rows: Sequence[tuple[int, list[str]]]) -> None:
    """Raise UnreadableList if the list seems to have family names only, and unknown columns may be the given names."""
    unread, index = _unknown_columns(head, columns), columns["family_name"]
    names = [name for _line, row in rows if (name := normalize_spaces(row[index]) if index < len(row) else "")]
    if unread and 2 * sum(" " not in name for name in names) >= len(names):
        message = _(
            "The column “%(family)s” has family names, and no column of given names was found. These titles were not "
            "understood: %(unread)s. Rename the one of the given names to “Given name”, and look again."
        )
        raise UnreadableList(message % {"family": normalize_spaces(head[index]), "unread": ", ".join(unread)})


def _split_header(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the header and the rows below it, each as (line number, cells). Raise UnreadableList.

    The header is the first row that has a column for names, else the first row. It is [] for a list of names without a
    header.
    """
    numbered = read_rows(text, MAX_LINES)
    are_names = all(row[0].strip() and not any(map(str.strip, row[1:])) for _line, row in numbered)
    if are_names and _column_meaning(numbered[0][1][0]) is None:
        return [], numbered
    indexes = (index for index, (_line, row) in enumerate(numbered[:MAX_HEADER_ROW]) if _is_header(row))
    index = next(indexes, 0)
    return numbered[index][1], numbered[index + 1 :]


def _is_header(row: Sequence[str]) -> bool:
    """Return whether the row is a header with a column for names, not a title above the list, which has one cell."""
    if any(
        _title_words(cell) in COLUMN_BY_WORDS and COLUMN_BY_WORDS[_title_words(cell)] in NAME_COLUMNS for cell in row
    ):
        return True
    return sum(bool(cell.strip()) for cell in row) > 1 and not NAME_COLUMNS.isdisjoint(map(_column_meaning, row))


def _title_words(title: str) -> tuple[str, ...]:
    words = (word for word in WORD_PATTERN.findall(without_accents(title)) if word not in IGNORED_WORDS)
    return tuple(word.removesuffix("s") if len(word) > 3 else word for word in words)


COLUMN_BY_WORDS: Mapping[tuple[str, ...], str] = {
    _title_words(title): name for name, titles in COLUMN_HEADINGS.items() for title in titles
}


def _column_meaning(cell: str) -> str | None:
    """Return the meaning of a column by its title, such as "email"; None if it has none, or if it is not clear."""
    words = _title_words(cell)
    if words in COLUMN_BY_WORDS:
        return COLUMN_BY_WORDS[words]
    if not OTHER_SUBJECT_WORDS.isdisjoint(words):
        return None
    ends = {part for size in range(1, len(words)) for part in (words[:size], words[-size:])} - HEADERS_MATCHED_WHOLE
    columns = {COLUMN_BY_WORDS[part] for part in ends if part in COLUMN_BY_WORDS}
    return columns.pop() if len(columns) == 1 else None


def _column_indexes(head: list[str]) -> dict[str, int]:
    """Return the index of each column by its meaning, such as "email".

    An exact title has priority over a partial match, and a mobile phone number over other phone numbers. Raise
    UnreadableList if no column has names, or two columns have the same meaning.
    """
    indexes: dict[str, list[int]] = {}
    for index, cell in enumerate(head):
        if name := _column_meaning(cell):
            indexes.setdefault(name, []).append(index)
    columns: dict[str, int] = {}
    for name, candidates in indexes.items():
        exact = [index for index in candidates if _title_words(head[index]) in COLUMN_BY_WORDS]
        if len(exact) > 1 and name not in REPEATABLE_COLUMNS:
            raise UnreadableList(
                _("Two columns are called alike: %(name)s.") % {"name": normalize_spaces(head[exact[1]])}
            )
        mobile = [
            index
            for index in candidates
            if name == "phone" and not MOBILE_PHONE_WORDS.isdisjoint(_title_words(head[index]))
        ]
        columns[name] = (mobile or exact or candidates)[0]
    if columns.keys() & NAME_COLUMNS == {"name", "given_name"} and _title_words(head[columns["name"]]) == ("name",):
        columns["family_name"] = columns.pop("name")  # "Name" beside "First name" is the family name
    if not columns.keys() & NAME_COLUMNS:
        raise UnreadableList(
            _("The first line must name the columns, at least one with names: Name, or Given name and Family name.")
        )
    return columns


def _parse_people(columns: Mapping[str, int], rows: list[tuple[int, list[str]]]) -> Iterator[ListedPerson]:
    for line, row in rows:
        cells = {
            name: strip_formula_mark(normalize_spaces(row[index])) if index < len(row) else ""
            for name, index in columns.items()
        }
        if full_name := cells.pop("name", ""):
            given_name, _blank, family_name = full_name.partition(" ")
            cells = {"given_name": given_name, "family_name": family_name, **{k: v for k, v in cells.items() if v}}
        given_name, family_name, number, email, phone = (cells.get(name, "") for name in MAX_LENGTHS)
        yield ListedPerson(line, given_name, family_name, number, email, phone, _line_problem(cells))


def check_phone(text: str) -> None:
    if not PHONE_PATTERN.fullmatch(text):
        raise ValidationError(_("“%(given)s” is no telephone number."), params={"given": text})


def _line_problem(cells: Mapping[str, str]) -> str | Promise:
    if not cells.get("given_name"):
        return _("The name is missing.")
    for name, limit in MAX_LENGTHS.items():
        if len(cells.get(name, "")) > limit:
            return _("“%(given)s” is longer than %(most)s characters.") % {"given": cells[name][:40], "most": limit}
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
