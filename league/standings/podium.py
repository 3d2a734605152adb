"""The limits of a podium: on pages, in emails and in pictures."""

from __future__ import annotations

from typing import Final

PODIUM_RANKS: Final = 3
MAX_PODIUM_ROWS: Final = 5  # players or units may share a rank
