from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import IO, Final
from zipfile import ZipFile

from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.parts import PARTS
from league.models import Club

COMPUTED_PART_NAMES: Final = tuple(
    part.name for part in PARTS if part.computed_fields or part.is_computed or part.name == "standings"
)


def differences_from_file(club: Club, file: IO[bytes]) -> list[str]:
    """Compare the computed rows of a club with those of the club file from which it was imported.

    Return a sentence for each part with differences, with the number of different rows. Columns that were added to the
    format after the file was written are not compared.
    """
    counts: dict[str, int] = {}
    with io.BytesIO() as fresh_export:
        write_club_file(club, fresh_export)
        with ZipFile(fresh_export) as new_archive, ZipFile(file) as old_archive:
            for name in COMPUTED_PART_NAMES:
                columns, old_rows = _read_rows(old_archive, name)
                _columns, new_rows = _read_rows(new_archive, name, columns)
                counts[name] = len(new_rows ^ old_rows)
    return [f"{name}: {number} rows differ from the file" for name, number in counts.items() if number]


def _read_rows(
    archive: ZipFile, name: str, columns: Sequence[str] | None = None
) -> tuple[list[str], set[tuple[str, ...]]]:
    """Return (names of columns, rows) of the part `name`, without the column of row numbers.

    If `columns` is not None, return only these columns.
    """
    with archive.open(f"{name}.csv") as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
        rows = csv.reader(text)
        header = next(rows)
        columns = header[1:] if columns is None else list(columns)
        indexes = [header.index(column) for column in columns]
        return columns, {tuple(row[index] for index in indexes) for row in rows}
