from __future__ import annotations

import csv
import io
from typing import IO, Final
from zipfile import ZipFile

from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.parts import PARTS
from league.models import Club

COMPUTED_PART_NAMES: Final = tuple(
    part.name for part in PARTS if part.computed or part.is_computed or part.name == "standings"
)


def differences(club: Club, file: IO[bytes]) -> list[str]:
    with io.BytesIO() as fresh_export:
        write_club_file(club, fresh_export)
        with ZipFile(fresh_export) as new_archive, ZipFile(file) as old_archive:
            counts = {name: len(_rows(new_archive, name) ^ _rows(old_archive, name)) for name in COMPUTED_PART_NAMES}
    return [f"{name}: {number} rows differ from the file" for name, number in counts.items() if number]


def _rows(archive: ZipFile, name: str) -> set[tuple[str, ...]]:
    with archive.open(f"{name}.csv") as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
        return {tuple(row[1:]) for row in csv.reader(text)}
