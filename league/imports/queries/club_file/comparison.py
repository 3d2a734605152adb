"""What a club is computed to have here, beside what its file says it had where it came from."""

from __future__ import annotations

import csv
import io
from typing import IO, Final
from zipfile import ZipFile

from league.imports.queries.club_file.export import write
from league.imports.queries.club_file.parts import PARTS
from league.models import Club

COMPUTED: Final = tuple(part.name for part in PARTS if part.computed or part.is_computed or part.name == "standings")


def differences(club: Club, file: IO[bytes]) -> list[str]:
    """Return the tables of computed numbers of which rows are others here, with how many: an export of now is read."""
    with io.BytesIO() as own:
        write(club, own)
        with ZipFile(own) as here, ZipFile(file) as there:
            counts = {name: _others(here, there, name) for name in COMPUTED}
    return [f"{name}: {number} rows are others than in the file" for name, number in counts.items() if number]


def _others(here: ZipFile, there: ZipFile, name: str) -> int:
    one, other = (_rows(archive, name) for archive in (here, there))
    return len(one ^ other)


def _rows(archive: ZipFile, name: str) -> set[tuple[str, ...]]:
    with archive.open(f"{name}.csv") as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
        return {tuple(row[1:]) for row in csv.reader(text)}
