"""Limits of the numbers on a table's score sheet."""

from __future__ import annotations

from typing import Final

MAX_TABLE_POINTS: Final = 99_999  # points of a player at a table, or for a rest; the minimum is the negative number
MAX_TABLE_DEALS: Final = 200
MAX_TABLE_MINUTES: Final = 600
