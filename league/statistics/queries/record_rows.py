from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

MAX_HOLDERS: Final = 5  # stored holders of a record


class RecordRow(NamedTuple):
    """A row of SeasonRecord without the version of the arithmetic: a holder of a season's record in a month.

    Holders are sorted by evening, then table or deal, then seat and player, and numbered by `place`. At most
    MAX_HOLDERS holders have a row; `shared` is the number of all holders. For evenings won, each player has a row.
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
