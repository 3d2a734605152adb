"""A QR code as the outline of an inline picture. Knows nothing of what it says."""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

QUIET = 4  # modules of white around it, as ISO/IEC 18004 asks


class Picture(NamedTuple):
    """A square of `side` modules; `path` is the outline of the dark ones, for an SVG path's `d`."""

    side: int
    path: str


def picture(text: str) -> Picture:
    """The code of a text, usually an address; a seventh of it may be unreadable, by a fold or a stain."""
    code: QRCode[Any] = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET)
    code.add_data(text)
    code.make()
    rows = code.get_matrix()
    return Picture(len(rows), "".join(_runs(y, row) for y, row in enumerate(rows)))


def _runs(y: int, row: list[bool]) -> str:
    """A row's dark stretches, each as one flat rectangle."""
    found, x = [], 0
    for dark, modules in groupby(row, key=bool):
        width = len(list(modules))
        if dark:
            found.append(f"M{x} {y}h{width}v1h-{width}z")
        x += width
    return "".join(found)
