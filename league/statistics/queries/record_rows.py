"""A record's row, as `SeasonRecord` keeps it."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

NAMED: Final = 5  # of those who share a record


class RecordRow(NamedTuple):
    """One of those who hold a season's record of a month: `KEY` and `DERIVED`, but for the arithmetic.

    Holders are in order of evening, then table or deal, then seat and player; the first of them have rows, and
    `shared` says how many they all are. Of evenings won each player has a row, in order of players.
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
