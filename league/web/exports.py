"""Boards as files for a spreadsheet. Knows cells, not what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from tablib.core import Dataset

from league.imports.queries.spreadsheet_cells import Cell, escape_formula

CONTENT_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # by which spreadsheets know UTF-8

UNKEPT: Final = ("page", "mine")  # of a page's address: a file has all the rows
COMMA, SEMICOLON = ",", ";"


def separator() -> str:
    """Return what stands between cells for spreadsheets in the reader's language; in French a comma is of a number."""
    return SEMICOLON if (get_language() or "").startswith("fr") else COMMA


def spreadsheet(rows: Iterable[Sequence[Cell]], extension: str, title: str, name: str) -> HttpResponse:
    """Return rows, the header first, as a CSV or XLSX file called after `name`; its sheet has the title."""
    header, *others = ([escape_formula(cell) for cell in row] for row in rows)
    given = {"delimiter": separator()} if extension == "csv" else {}
    written = Dataset(*others, headers=header, title=title).export(extension, **given)
    response = HttpResponse(MARK + written if extension == "csv" else written, content_type=CONTENT_TYPES[extension])
    response["Content-Disposition"] = content_disposition_header(True, f"{slugify(name) or 'export'}.{extension}")
    return response


def shown_files(request: HttpRequest, page: str, *args: object) -> dict[str, str]:
    """Return the addresses of a board's files, by their extensions: of the rows that the page's address shows.

    A page called `season` has the addresses `season-csv` and `season-xlsx`.
    """
    query = request.GET.copy()
    for name in UNKEPT:
        query.pop(name, None)
    return {each: reverse(f"league:{page}-{each}", args=args, query=query or None) for each in CONTENT_TYPES}
