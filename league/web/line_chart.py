"""Compute the coordinates of a small line chart from numbers, without Django. A template draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor
from typing import NamedTuple

WIDTH, HEIGHT = 360, 180
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 46, 8, 10, 26  # space for numbers and dates
# Distances of two grid lines, in points. Each is at most the double of the one before.
GRID_STEPS = (
    5,
    10,
    20,
    25,
    50,
    100,
    200,
    250,
    500,
    1000,
    2000,
    4000,
    8000,
)
MIN_RANGE = 20  # points; smaller ranges are widened to this
MAX_GRID_LINES = 5
SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 96, 24, 3
MAX_DOTS = 40  # with more dates than this, dots would hide the line


class Point(NamedTuple):
    x: float
    y: float


class Tick(NamedTuple):
    y: float
    value: int


class DateMark(NamedTuple):
    """A date below the chart.

    `anchor` is the SVG attribute text-anchor; it is set so that the text stays inside the chart.
    """

    x: float
    date: date
    anchor: str


class Sparkline(NamedTuple):
    """A small line without axes, in pixels."""

    points: tuple[Point, ...]
    width: int
    height: int

    @property
    def line(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)

    @property
    def last(self) -> Point:
        return self.points[-1]


@dataclass(frozen=True)
class Chart:
    """A line chart of ratings, in pixels. `line`, `area` and similar properties are coordinates for SVG."""

    points: tuple[Point, ...]
    ticks: tuple[Tick, ...]
    dates: tuple[DateMark, ...]
    band: tuple[Point, ...] = ()  # a surface around the line: its upper edge, then its lower edge backwards
    second_points: tuple[Point, ...] = ()  # another line on the same axes
    width: int = WIDTH
    height: int = HEIGHT
    left: int = MARGIN_LEFT
    right: int = WIDTH - MARGIN_RIGHT
    bottom: int = HEIGHT - MARGIN_BOTTOM

    @property
    def line(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)

    @property
    def second_line(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.second_points)

    @property
    def area(self) -> str:
        first, last = self.points[0], self.points[-1]
        return f"{first.x:.1f},{self.bottom} {self.line} {last.x:.1f},{self.bottom}"

    @property
    def band_corners(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.band)

    @property
    def dots(self) -> tuple[Point, ...]:
        return self.points if len(self.points) <= MAX_DOTS else self.points[-1:]

    @property
    def second_dots(self) -> tuple[Point, ...]:
        return self.second_points if len(self.second_points) <= MAX_DOTS else self.second_points[-1:]


History = Sequence[tuple[date, float]]  # dates, ascending, with the rating after each, in points


def rating_chart(history: History, bands: Sequence[float] = (), second_history: History = ()) -> Chart:
    """Return the chart of a rating over time.

    `bands` are the uncertainties (±) of each value in `history`. `second_history` is a second line on the same axes.
    """
    values = [value for _, value in history]
    edges = [(value + band, value - band) for value, band in zip(values, bands, strict=True)] if bands else []
    values += [value for _, value in second_history]
    low = min([*values, *(low for _, low in edges)])
    high = max([*values, *(high for high, _ in edges)])
    room = max(MIN_RANGE - (high - low), 0) / 2
    low, high = low - room, high + room
    first = min(line[0][0] for line in (history, second_history) if line)
    last = max(line[-1][0] for line in (history, second_history) if line)
    days = (last - first).days

    def x(day: date) -> float:
        inside = WIDTH - MARGIN_LEFT - MARGIN_RIGHT
        return MARGIN_LEFT + (inside * (day - first).days / days if days else inside / 2)

    def y(value: float) -> float:
        return MARGIN_TOP + (HEIGHT - MARGIN_TOP - MARGIN_BOTTOM) * (high - value) / (high - low)

    marks = [DateMark(x(first), first, "start"), DateMark(x(last), last, "end")]
    days_of = [day for day, _ in history]
    upper = [Point(x(day), y(high)) for day, (high, _) in zip(days_of, edges, strict=False)]
    lower = [Point(x(day), y(low)) for day, (_, low) in zip(days_of, edges, strict=False)]
    return Chart(
        points=tuple(Point(x(day), y(value)) for day, value in history),
        ticks=tuple(Tick(y(value), value) for value in _axis_ticks(low, high)),
        dates=tuple(marks) if days else (DateMark(x(first), first, "middle"),),
        band=(*upper, *reversed(lower)),
        second_points=tuple(Point(x(day), y(value)) for day, value in second_history),
    )


def sparkline(values: Sequence[float]) -> Sparkline | None:
    """Return a line with equal steps, scaled from minimum to maximum; None for fewer than two values."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    step = (SPARK_WIDTH - 2 * SPARK_EDGE) / (len(values) - 1)
    room = SPARK_HEIGHT - 2 * SPARK_EDGE

    def y(value: float) -> float:
        return SPARK_EDGE + (room * (high - value) / (high - low) if high > low else room / 2)

    points = tuple(Point(SPARK_EDGE + step * index, y(value)) for index, value in enumerate(values))
    return Sparkline(points, SPARK_WIDTH, SPARK_HEIGHT)


def _axis_ticks(low: float, high: float) -> range:
    """Return round numbers between `low` and `high`: two to MAX_GRID_LINES.

    `high - low` must be at least MIN_RANGE.
    """
    step = next(step for step in GRID_STEPS if floor(high / step) - ceil(low / step) < MAX_GRID_LINES)
    return range(ceil(low / step) * step, floor(high / step) * step + 1, step)
