"""Geometry of the small charts of pages. Pure: numbers in, coordinates out; a template or league/web/marks.py draws.

The rating's line has its own module (line_chart.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

FORM_HEIGHT: Final = 22
FORM_STEP, FORM_WIDTH = 9, 6  # between the left edges of two bars, and of a bar
SHORTEST, LONGEST = 5, 18  # bars


class FormKind(StrEnum):
    WON = "won"
    COUNTED = "counted"
    DROPPED = "dropped"
    ABSENT = "absent"


class FormBars(NamedTuple):
    """Bars of a player's last evenings, as one SVG path for each kind; `strikes` crosses the dropped ones."""

    paths: dict[FormKind, str]
    strikes: str
    width: int
    won: int
    height: int = FORM_HEIGHT


def form_bars(results: Sequence[tuple[FormKind, float | None]], dropped: Sequence[bool]) -> FormBars:
    """Scale between the lowest and the highest of these values. The value None is an absence."""
    values = [value for _kind, value in results if value is not None]
    low, high = (min(values), max(values)) if values else (0, 0)
    paths: dict[FormKind, list[str]] = defaultdict(list)
    strikes = []
    for index, ((kind, value), is_dropped) in enumerate(zip(results, dropped, strict=True)):
        share = (value - low) / (high - low) if value is not None and high > low else 1
        height = FORM_WIDTH if value is None else round(SHORTEST + (LONGEST - SHORTEST) * share)
        left, top = 2 + FORM_STEP * index, FORM_HEIGHT - 2 - height
        paths[kind].append(f"M{left} {top}h{FORM_WIDTH}v{height}h-{FORM_WIDTH}z")
        if is_dropped:
            strikes.append(f"M{left - 2} {top + height // 2 + 2}l{FORM_WIDTH + 4}-4")
    won = sum(kind == FormKind.WON for kind, _value in results)
    joined = {kind: "".join(parts) for kind, parts in paths.items()}
    return FormBars(joined, "".join(strikes), FORM_STEP * len(results) + 2, won)
