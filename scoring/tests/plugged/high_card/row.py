"""High card's row of short codes: a card a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.row_codes import Cells, Column, Reader, Reading, RowCodes
from scoring.rules.words import gettext_noop as _


def columns(seats: int) -> tuple[Column, ...]:
    """A cell a player. A card from 2 to 9 needs no second key."""
    return tuple(
        Column(f"cards.{seat}", _("Seat %(number)s"), "[0-9]{0,2}", full="[2-9]|1[0-9]", digits=True, number=seat + 1)
        for seat in range(seats)
    )


def legend(seats: int) -> tuple[str, ...]:
    """The codes in a few words."""
    return (_("Each player: the card, 1 to 13"),)


def read(cells: Cells, seats: Sequence[int]) -> Reading:
    """The facts of RULES.md, H1."""
    reader = Reader(cells, seats)
    return reader.result({"cards": [reader.whole(f"cards.{seat}") for seat in range(len(seats))]})


def write(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    """The cells of facts that the engine accepts."""
    return {f"cards.{seat}": str(card) for seat, card in enumerate(facts["cards"])}


ROW = RowCodes(columns=columns, legend=legend, read=read, write=write)
