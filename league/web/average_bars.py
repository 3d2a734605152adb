"""Geometry of bars beside an average, on a scale that all rows share. Pure: numbers in, coordinates out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from league.web.charts import BAR_WIDTH


class AverageBar(NamedTuple):
    """A value's bar from zero, and where the average lies; None if there is none."""

    x: int
    width: int
    average: int | None


class AverageBars(NamedTuple):
    bars: tuple[AverageBar, ...]
    zero: int
    width: int = BAR_WIDTH


def average_bars(rows: Sequence[tuple[float, float | None]], *, minimum: float = 0, maximum: float = 0) -> AverageBars:
    """Return a bar for each of `rows`, values with their averages. The scale has at least zero, `minimum` and
    `maximum`.
    """
    numbers = [number for row in rows for number in row if number is not None]
    low, high = min([0, minimum, *numbers]), max([0, maximum, *numbers])
    scale = (BAR_WIDTH - 4) / ((high - low) or 1)

    def x(number: float) -> int:
        return round(2 + (number - low) * scale)

    bars = tuple(
        AverageBar(min(x(0), x(value)), max(abs(x(value) - x(0)), 1), None if average is None else x(average))
        for value, average in rows
    )
    return AverageBars(bars, x(0))
