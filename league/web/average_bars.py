"""Compute the coordinates of bars that are compared with an average, on one scale for all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from league.web.charts import BAR_WIDTH


class AverageBar(NamedTuple):
    """A horizontal bar from zero to a value, in pixels. `average` is the position of the average; None: no average."""

    x: int
    width: int
    average: int | None


class AverageBars(NamedTuple):
    """The bars of all rows of a table, in pixels. `zero` is the position of zero."""

    bars: tuple[AverageBar, ...]
    zero: int
    width: int = BAR_WIDTH


def average_bars(rows: Sequence[tuple[float, float | None]], *, minimum: float = 0, maximum: float = 0) -> AverageBars:
    """Return one bar per row. `rows` are (value, average or None).

    The scale contains zero, `minimum`, `maximum` and all values.
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
