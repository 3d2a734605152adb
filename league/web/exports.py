"""Export tables as CSV or XLSX files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.http import HttpRequest, HttpResponse, QueryDict
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
BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # with it, spreadsheet programs recognise UTF-8

PAGE_PARAMETERS: Final = ("page", "mine")  # query parameters that a file does not use: it has all rows
COMMA, SEMICOLON = ",", ";"


def csv_separator() -> str:
    """Return the separator of CSV files. French spreadsheet programs expect a semicolon."""
    return SEMICOLON if (get_language() or "").startswith("fr") else COMMA


def spreadsheet_response(rows: Iterable[Sequence[Cell]], extension: str, title: str, name: str) -> HttpResponse:
    """Respond with a file. `extension` is "csv" or "xlsx".

    The first row is the header. `title` is the name of the worksheet, `name` the file name without extension.
    """
    header, *body = ([escape_formula(cell) for cell in row] for row in rows)
    options = {"delimiter": csv_separator()} if extension == "csv" else {}
    exported = Dataset(*body, headers=header, title=title).export(extension, **options)
    response = HttpResponse(
        BYTE_ORDER_MARK + exported if extension == "csv" else exported, content_type=CONTENT_TYPES[extension]
    )
    response["Content-Disposition"] = content_disposition_header(True, f"{slugify(name) or 'export'}.{extension}")
    return response


def export_addresses(request: HttpRequest, page: str, *args: object) -> dict[str, str]:
    """Return {extension: URL} of a page's files, with the query string of the request. For `page` see
    `file_addresses`.
    """
    query = request.GET.copy()
    for name in PAGE_PARAMETERS:
        query.pop(name, None)
    return file_addresses(page, *args, query=query)


def file_addresses(page: str, *args: object, query: QueryDict | None = None) -> dict[str, str]:
    """Return {extension: URL} of a page's files.

    `page` is the first part of the URL names: "season" stands for `season-csv` and `season-xlsx`.
    """
    return {
        extension: reverse(f"league:{page}-{extension}", args=args, query=query or None) for extension in CONTENT_TYPES
    }
