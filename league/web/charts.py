"""Compute the coordinates of small charts from numbers, without Django.

Templates and league/web/marks.py draw the charts. The line chart of ratings is in league/web/line_chart.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from math import cos, pi, sin
from typing import Final, NamedTuple

EVENING_BARS_HEIGHT: Final = 22
EVENING_BAR_STEP, EVENING_BAR_WIDTH = 9, 6  # distance of the left edges of two bars; width of a bar
MIN_EVENING_BAR_HEIGHT, MAX_EVENING_BAR_HEIGHT = 5, 18  # height of a bar


class EveningOutcome(StrEnum):
    """How an evening counts for a player; it decides the look of the evening's bar."""

    WON = "won"
    COUNTED = "counted"
    DROPPED = "dropped"
    ABSENT = "absent"


class RecentEveningBars(NamedTuple):
    """Bars of a player's last evenings, as one SVG path per outcome.

    `strikes` is an SVG path that crosses out dropped evenings. `won` is the number of evenings won.
    """

    paths: dict[EveningOutcome, str]
    strikes: str
    width: int
    won: int
    height: int = EVENING_BARS_HEIGHT


def recent_evening_bars(
    results: Sequence[tuple[EveningOutcome, float | None]], dropped_flags: Sequence[bool]
) -> RecentEveningBars:
    """Return one vertical bar per evening, in the order of `results`, scaled from the lowest to the highest value.

    `results` are (outcome, value); the value of an absence is None. `dropped_flags` has a flag for each result: True if
    the evening is crossed out, because it does not count.
    """
    values = [value for _outcome, value in results if value is not None]
    low, high = (min(values), max(values)) if values else (0, 0)
    paths: dict[EveningOutcome, list[str]] = defaultdict(list)
    strikes = []
    for index, ((outcome, value), is_dropped) in enumerate(zip(results, dropped_flags, strict=True)):
        share = (value - low) / (high - low) if value is not None and high > low else 1
        height = (
            EVENING_BAR_WIDTH
            if value is None
            else round(MIN_EVENING_BAR_HEIGHT + (MAX_EVENING_BAR_HEIGHT - MIN_EVENING_BAR_HEIGHT) * share)
        )
        left, top = 2 + EVENING_BAR_STEP * index, EVENING_BARS_HEIGHT - 2 - height
        paths[outcome].append(f"M{left} {top}h{EVENING_BAR_WIDTH}v{height}h-{EVENING_BAR_WIDTH}z")
        if is_dropped:
            strikes.append(f"M{left - 2} {top + height // 2 + 2}l{EVENING_BAR_WIDTH + 4}-4")
    won = sum(outcome == EveningOutcome.WON for outcome, _value in results)
    joined = {outcome: "".join(parts) for outcome, parts in paths.items()}
    return RecentEveningBars(joined, "".join(strikes), EVENING_BAR_STEP * len(results) + 2, won)


ROUNDS_WIDTH, ROUNDS_HEIGHT = 120, 22


class PlayerRoundBars(NamedTuple):
    """A player's points per round, as horizontal bars: `gains` is an SVG path to the right of `zero`, `losses` to
    the left.
    """

    gains: str
    losses: str
    zero: int
    width: int = ROUNDS_WIDTH
    height: int = ROUNDS_HEIGHT


def round_bars(rows: Sequence[Sequence[int | None]]) -> list[PlayerRoundBars]:
    """Return the bars of each row, all on one scale. A row has the points of each round; None: no result."""
    values = [0, *(value for row in rows for value in row if value is not None)]
    low = min(values)
    scale = (ROUNDS_WIDTH - 2) / (max(values) - low or 1)
    zero = round(1 - low * scale)
    return [_round_bars(row, scale, zero) for row in rows]


def _round_bars(row: Sequence[int | None], scale: float, zero: int) -> PlayerRoundBars:
    gains: list[str] = []
    losses: list[str] = []
    lane = ROUNDS_HEIGHT // max(len(row), 2)
    for index, value in enumerate(row):
        if value:
            bars, sign = (gains, 1) if value > 0 else (losses, -1)
            width = sign * max(round(abs(value) * scale), 1)
            bars.append(f"M{zero} {index * lane + 1}h{width}v{max(lane - 2, 1)}h{-width}z")
    return PlayerRoundBars("".join(gains), "".join(losses), zero)


SEAT_MAP_SIZE: Final = 64  # width and height
SEAT_RADIUS: Final = 23  # from the centre of the table to the centre of a seat


def seat_positions(seats: int) -> list[tuple[int, int]]:
    """Return (x, y) of each of `seats` seats around a table, clockwise from the top, in pixels."""
    angles = [2 * pi * seat / seats for seat in range(seats)]
    middle = SEAT_MAP_SIZE / 2
    return [(round(middle + SEAT_RADIUS * sin(angle)), round(middle - SEAT_RADIUS * cos(angle))) for angle in angles]


RANK_WIDTH, RANK_LANE = 1000, 28  # a chart of ranks is stretched to the width of its box


class RankLine(NamedTuple):
    """A player's ranks over time as an SVG path.

    `dots` is an SVG path of lines of length zero: they stay round when the picture is stretched.
    """

    path: str
    dots: str


class RankChart(NamedTuple):
    """A chart with one lane (row) per rank. If `has_lower_lane`, the last lane is shared by all lower ranks."""

    lines: tuple[RankLine, ...]
    lanes: int
    has_lower_lane: bool
    width: int = RANK_WIDTH

    @property
    def height(self) -> int:
        return self.lanes * RANK_LANE


def rank_chart(orders: Sequence[Sequence[int]], players: Sequence[int], top: int, own_player: int | None) -> RankChart:
    """Return the chart of the ranks of `players` over time.

    `players` are ids, sorted by present rank. `orders` has, for each time, the ids sorted by rank at that time. Each of
    the first `top` ranks has a lane. A player without a rank at some time has no dot there. In the lane of lower ranks
    only the line of `own_player` is drawn; other lines end where they enter it.
    """
    rank_indexes = [{player: index for index, player in enumerate(order)} for order in orders]
    rank_indexes[-1].update({player: index for index, player in enumerate(players)})
    lanes = min(len(players), top)
    has_lower_lane = any(ranks_at_time.get(player, 0) >= lanes for ranks_at_time in rank_indexes for player in players)
    lines = tuple(
        _rank_line([ranks_at_time.get(player) for ranks_at_time in rank_indexes], lanes, player == own_player)
        for player in players
    )
    return RankChart(lines, lanes + has_lower_lane, has_lower_lane)


def _rank_line(rank_indexes: Sequence[int | None], lanes: int, is_own: bool) -> RankLine:
    step = RANK_WIDTH / len(rank_indexes)
    path, dots = [], []
    before: int | None = None
    for index, rank_index in enumerate(rank_indexes):
        if rank_index is not None:
            point = f"{round((index + 0.5) * step)} {round((min(rank_index, lanes) + 0.5) * RANK_LANE)}"
            is_joined = before is not None and (is_own or min(before, rank_index) < lanes)
            path.append(f"{'L' if is_joined else 'M'}{point}")
            if is_own or rank_index < lanes:
                dots.append(f"M{point}h0")
        before = rank_index
    return RankLine("".join(path), "".join(dots))


SLOPE_WIDTH, SLOPE_LANE = 400, 18
SLOPE_LEFT, SLOPE_RIGHT = 28, 215  # x of the ends of the lines; ranks are to their left, names to their right
MIN_LABELLED_CHANGE: Final = 2  # players with smaller changes get no label


class SlopeLine(NamedTuple):
    """A player's line from a rank on the left to a rank on the right.

    `before` and `after` are y positions. `ranks_gained` is negative for ranks lost.
    """

    before: int
    after: int
    ranks_gained: int

    @property
    def direction(self) -> str:
        return "up" if self.ranks_gained > 0 else "down" if self.ranks_gained < 0 else "same"

    @property
    def is_labelled(self) -> bool:
        return abs(self.ranks_gained) >= MIN_LABELLED_CHANGE


class SlopeChart(NamedTuple):
    """The lines of all players between their ranks before and after, in pixels."""

    lines: tuple[SlopeLine, ...]
    width: int = SLOPE_WIDTH
    left: int = SLOPE_LEFT
    right: int = SLOPE_RIGHT

    @property
    def height(self) -> int:
        return len(self.lines) * SLOPE_LANE

    @property
    def has_labels(self) -> bool:
        return any(line.is_labelled for line in self.lines)


def slope_chart(ranks: Sequence[tuple[int, int]]) -> SlopeChart:
    """Return one line per player. `ranks` are (rank before, rank after).

    On each side every player has a lane, so that lines of players with the same rank do not overlap.
    """
    before = _lanes([rank for rank, _after in ranks])
    after = _lanes([rank for _before, rank in ranks])
    return SlopeChart(
        tuple(
            SlopeLine(_slope_y(left), _slope_y(right), old - new)
            for left, right, (old, new) in zip(before, after, ranks, strict=True)
        )
    )


def _lanes(ranks: Sequence[int]) -> list[int]:
    """Return a lane of its own for each player, from the top: by rank, and for equal ranks in the order of `ranks`."""
    order = sorted(range(len(ranks)), key=lambda index: (ranks[index], index))
    lanes = [0] * len(ranks)
    for lane, index in enumerate(order):
        lanes[index] = lane
    return lanes


def _slope_y(lane: int) -> int:
    return lane * SLOPE_LANE + SLOPE_LANE // 2


BAR_WIDTH: Final = 160


class Bar(NamedTuple):
    """A horizontal bar in a row of a table, in pixels from the left edge. All rows share the zero."""

    x: int
    width: int


class Bars(NamedTuple):
    """The bars of all rows, in pixels. `zero` is the position of zero."""

    bars: tuple[Bar, ...]
    zero: int
    width: int = BAR_WIDTH


def horizontal_bars(values: Sequence[float]) -> Bars:
    """Return one bar per value, from zero to the value, on one scale."""
    return _bars([(0, value) for value in values])


def waterfall_bars(values: Sequence[float]) -> Bars:
    """Return bars of a waterfall chart: each bar begins where the previous bar ends.

    The last bar is the sum, from zero.
    """
    sums = [0, *accumulate(values)]
    return _bars([*pairwise(sums), (0, sums[-1])])


def _bars(spans: Sequence[tuple[float, float]]) -> Bars:
    ends = [0, *(end for span in spans for end in span)]
    low, scale = min(ends), (BAR_WIDTH - 2) / (max(ends) - min(ends) or 1)

    def x(value: float) -> int:
        return round(1 + (value - low) * scale)

    bars = tuple(Bar(min(x(start), x(end)), max(abs(x(end) - x(start)), 1)) for start, end in spans)
    return Bars(bars, x(0))


LINE_WIDTH, LINE_EDGE = 400, 14  # pixels: width of the picture of a number line, and space at each end of the line


class NumberLine(NamedTuple):
    """Positions of three players on a line, in pixels; the best is to the right.

    None: there is no player below or above.
    """

    below: int | None
    own: int
    above: int | None
    left: int = LINE_EDGE
    right: int = LINE_WIDTH - LINE_EDGE
    width: int = LINE_WIDTH


def number_line(below: float | None, value: float, above: float | None) -> NumberLine:
    """Return the line with `value` between `below` at its left end and `above` at its right end.

    If there is no player below or above, `value` is at that end.
    """
    left, right = LINE_EDGE, LINE_WIDTH - LINE_EDGE
    if below is None or above is None:
        return NumberLine(
            None if below is None else left, left if below is None else right, None if above is None else right
        )
    share = (value - below) / (above - below) if above > below else 0.5
    return NumberLine(left, round(left + (right - left) * share), right)


SCORE_WIDTH, SCORE_HEIGHT = 400, 190
SCORE_LEFT, SCORE_RIGHT, SCORE_TOP, SCORE_BOTTOM = 44, 264, 10, 166  # edges of the lines; names are to their right
LABEL_HEIGHT: Final = 15
MAX_DEAL_LABELS: Final = 12  # largest number of deal numbers below the chart


class ScoreLine(NamedTuple):
    """A seat's running total: SVG path of the line, SVG path of its dots, y of its end, y of its label (the player's
    name).
    """

    path: str
    dots: str
    end: int
    label: int


class ScoreMark(NamedTuple):
    """A deal on the x axis. `x` is the position of its number.

    `column` and `width` are the left edge and the width of the area that links to the deal.
    """

    x: int
    column: int
    width: int
    is_labelled: bool


class ScoreChart(NamedTuple):
    """The running totals of a table's seats, deal after deal, in pixels."""

    lines: tuple[ScoreLine, ...]
    marks: tuple[ScoreMark, ...]
    ticks: tuple[tuple[int, int], ...]  # y and value
    width: int = SCORE_WIDTH
    height: int = SCORE_HEIGHT
    left: int = SCORE_LEFT
    right: int = SCORE_RIGHT
    top: int = SCORE_TOP
    bottom: int = SCORE_BOTTOM


def score_chart(totals: Sequence[Sequence[int]]) -> ScoreChart:
    """Return the chart of a table with at least one deal.

    `totals` has, for each seat, the running totals after each deal. All lines begin at zero.
    """
    deals = len(totals[0])
    values = [0, *(total for line in totals for total in line)]
    low, high = min(values), max(values)
    step = (SCORE_RIGHT - SCORE_LEFT) / deals

    def x(deal: int) -> int:
        return round(SCORE_LEFT + deal * step)

    def y(value: float) -> int:
        return round(SCORE_BOTTOM - (SCORE_BOTTOM - SCORE_TOP) * (value - low) / (high - low or 1))

    labels = _space_labels([y(line[-1]) for line in totals])
    lines = []
    for line, label in zip(totals, labels, strict=True):
        points = [f"{x(deal)} {y(total)}" for deal, total in enumerate([0, *line])]
        dots = "".join(f"M{point}h0" for point in points[1:])
        lines.append(ScoreLine("M" + "L".join(points), dots, y(line[-1]), label))
    gap = -(-deals // MAX_DEAL_LABELS)
    marks = [
        ScoreMark(x(deal), round(x(deal) - step / 2), round(step), (deals - deal) % gap == 0)
        for deal in range(1, deals + 1)
    ]
    has_zero = min(y(low) - y(0), y(0) - y(high)) >= LABEL_HEIGHT
    ticks = [(y(value), value) for value in sorted({low, high, *([0] if has_zero else [])})]
    return ScoreChart(tuple(lines), tuple(marks), tuple(ticks))


def _space_labels(ys: Sequence[int]) -> list[int]:
    """Return the y positions `ys` of labels, changed so that the labels do not overlap.

    The labels keep their order, and are inside the chart.
    """
    order = sorted(range(len(ys)), key=lambda index: ys[index])
    placed = [0] * len(ys)
    previous = SCORE_TOP - LABEL_HEIGHT
    for index in order:
        previous = placed[index] = max(ys[index], previous + LABEL_HEIGHT)
    following = SCORE_BOTTOM + LABEL_HEIGHT
    for index in reversed(order):
        following = placed[index] = min(placed[index], following - LABEL_HEIGHT)
    return placed
