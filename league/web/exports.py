"""Tables as files for a spreadsheet. Knows cells, not what they mean."""

import csv
from collections.abc import Iterable, Sequence

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int | None


def csv_response(name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """A CSV file called after `name`, in UTF-8 with the mark by which spreadsheets know it."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{slugify(name) or 'export'}.csv")
    response.write("\ufeff")
    writer = csv.writer(response)
    writer.writerow([harmless(cell) for cell in header])
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return response


def harmless(cell: Cell) -> Cell:
    """The cell as it is, unless it is text that a spreadsheet would run as a formula."""
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return "" if cell is None else cell
