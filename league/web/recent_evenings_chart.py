"""Compute the coordinates of a chart with one bar and one number per evening, for a player's last evenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH, HEIGHT = 400, 132
TOP, BOTTOM = 30, 108  # y of the bars' ends; stars and numbers are above, dates below
COLUMNS: Final = 10
BAR_SHARE: Final = 0.6  # width of a bar, as a share of its column
LABEL_HEIGHT: Final = 15


class EveningColumn(NamedTuple):
    """An evening in the chart, in pixels: `x` is its middle, `left`, `y`, `width` and `height` are its bar.

    `label` is the baseline of its number.
    """

    x: int
    left: int
    width: int
    y: int
    height: int
    label: int


class RecentEveningsChart(NamedTuple):
    """The columns of all evenings, in pixels. `zero` is the y where bars begin."""

    columns: tuple[EveningColumn, ...]
    zero: int
    width: int = WIDTH
    height: int = HEIGHT


def recent_evenings_chart(values: Sequence[float | None]) -> RecentEveningsChart:
    """Return the chart of the values. Bars begin at zero; negative values go down.

    None stands for an absence, which gets a bar without height.
    """
    numbers = [value for value in values if value is not None]
    low, high = min([0, *numbers]), max([0, *numbers])
    bottom = BOTTOM - (LABEL_HEIGHT if low < 0 else 0)
    step = WIDTH / max(COLUMNS, len(values))

    def y(value: float) -> int:
        return round(bottom - (bottom - TOP) * (value - low) / ((high - low) or 1))

    columns = []
    for index, value in enumerate(values):
        upper, lower = sorted((y(value or 0), y(0)))
        label = lower + LABEL_HEIGHT - 3 if value is not None and value < 0 else upper - 4
        middle = (index + 0.5) * step
        width = round(step * BAR_SHARE)
        height = 0 if value is None else max(lower - upper, 1)
        columns.append(EveningColumn(round(middle), round(middle - width / 2), width, upper, height, label))
    return RecentEveningsChart(tuple(columns), y(0))
