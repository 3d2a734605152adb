from __future__ import annotations

import csv
import io
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

    Return a sentence for each part with differences, with the number of different rows.
    """
    with io.BytesIO() as fresh_export:
        write_club_file(club, fresh_export)
        with ZipFile(fresh_export) as new_archive, ZipFile(file) as old_archive:
            counts = {
                name: len(_read_rows(new_archive, name) ^ _read_rows(old_archive, name)) for name in COMPUTED_PART_NAMES
            }
    return [f"{name}: {number} rows differ from the file" for name, number in counts.items() if number]


def _read_rows(archive: ZipFile, name: str) -> set[tuple[str, ...]]:
    with archive.open(f"{name}.csv") as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
        return {tuple(row[1:]) for row in csv.reader(text)}
