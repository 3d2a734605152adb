from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

MAX_HOLDERS: Final = 5  # stored per record


class RecordRow(NamedTuple):
    """A holder of a season's record in a month: the fields of `KEY` and `DERIVED`, except the version.

    Holders are sorted by evening, then table or deal, then seat and player. Only the first has a row, and `shared`
    counts all; for evenings won, each player has a row.
    """

    season: int
    name: str
    month: date
    place: int
    value: int
    shared: int
    player: int | None = None
    evening: int | None = None
    since: int | None = None
    table: int | None = None
    deal: int | None = None
