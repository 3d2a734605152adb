from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

MAX_HOLDERS: Final = 5  # stored per record


class RecordRow(NamedTuple):
    """A holder of a season's record of a month: the fields `KEY` and `DERIVED`, without the version.

    Holders are sorted by evening, then table or deal, then seat and player; only the first have rows, and `shared` is
    the number of all. For evenings won, each player has a row.
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
