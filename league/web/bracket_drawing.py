"""Compute the coordinates of a knock-out bracket from columns of matches. A template draws it. Without Django."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")

# Sizes in pixels, except MAX_CHARACTERS.
BOX_WIDTH: Final = 312
LINE_HEIGHT: Final = 18
PADDING: Final = 4  # above and below the lines of a side
COLUMN_GAP: Final = 32
ROW_GAP: Final = 12
TITLE_HEIGHT: Final = 30  # a title above a column, or above the match for third place
MARGIN: Final = 2  # for the border lines of the boxes
SIDE_MARGIN: Final = 8  # between a box and its texts
NUMBER_WIDTH: Final = 30
MAX_CHARACTERS: Final = 22  # in a line of 210 px, with bold letters of 15 px: they are at most 9.5 px wide on average


class Text(NamedTuple):
    """A text of the drawing. `y` is its baseline."""

    x: int
    y: int
    text: str


class Side(NamedTuple):
    """One side of a match. `number` is shown before the lines of text, `score` after them."""

    number: str
    lines: Sequence[str]
    score: str
    wins: bool


class Box(NamedTuple):
    """The rectangle of a match, in pixels. `middle` is the y of the line between its two sides."""

    x: int
    y: int
    width: int
    height: int
    middle: int
    sides: Sequence[BoxSide]


class BoxSide(NamedTuple):
    """One side of a match in its rectangle, with the positions of its texts."""

    number: Text
    lines: Sequence[Text]
    score: Text
    wins: bool
    y: int
    height: int


@dataclass(frozen=True)
class Drawing:
    """The positions of a bracket's titles, boxes and lines, in pixels."""

    titles: Sequence[Text]
    boxes: Sequence[Box]
    lines: Sequence[str]  # the points of each line between two matches
    width: int
    height: int


class Column(NamedTuple, Generic[T]):
    """One stage of the bracket: its title, and its matches from top to bottom. None is a bye, which is not drawn."""

    title: str
    matches: Sequence[T | None]


Sides = tuple[Side, Side]


def draw_bracket(columns: Sequence[Column[Sides]], extra: tuple[str, Sides] | None = None) -> Drawing:
    """Return the drawing of the stages, from left to right.

    `extra` is the title and the sides of a match that is drawn below the final, such as the match for rank 3.
    """
    line_count = max(
        [len(side.lines) for column in columns for match in column.matches if match for side in match]
        + [len(side.lines) for side in (extra[1] if extra else ())],
        default=1,
    )
    side_height = 2 * PADDING + LINE_HEIGHT * max(line_count, 1)
    height = 2 * side_height
    titles: list[Text] = []
    boxes: list[Box] = []
    lines: list[str] = []
    centres = [TITLE_HEIGHT + MARGIN + row * (height + ROW_GAP) + height // 2 for row in range(len(columns[0].matches))]
    bottom = centres[-1] + height // 2
    x = MARGIN
    previous: Column[Sides] | None = None
    for column in columns:
        x = MARGIN + columns.index(column) * (BOX_WIDTH + COLUMN_GAP)
        titles.append(Text(x, TITLE_HEIGHT - 12, column.title))
        if previous is not None:
            centres_before = centres
            centres = [(first + second) // 2 for first, second in zip(centres[::2], centres[1::2], strict=True)]
            lines += [
                _line(x, centre, centres[row // 2])
                for row, centre in enumerate(centres_before)
                if previous.matches[row] is not None
            ]
        boxes += [
            _box(x, centre - height // 2, side_height, match)
            for match, centre in zip(column.matches, centres, strict=True)
            if match is not None
        ]
        previous = column
    if extra is not None:
        title, match = extra
        y = max(centres[-1] + height // 2 + TITLE_HEIGHT + ROW_GAP, bottom - height)
        titles.append(Text(x, y - 12, title))
        boxes.append(_box(x, y, side_height, match))
        bottom = max(bottom, y + height)
    return Drawing(titles, boxes, lines, x + BOX_WIDTH + MARGIN, bottom + MARGIN)


def _line(x: int, start: int, end: int) -> str:
    """Return the points of the line from a match to the next match. `start` and `end` are the y of the line's ends.

    `x` is the left edge of the next match.
    """
    middle = x - COLUMN_GAP // 2
    return f"{x - COLUMN_GAP},{start} {middle},{start} {middle},{end} {x},{end}"


def _box(x: int, y: int, side_height: int, match: Sides) -> Box:
    sides = [_box_side(x, y + index * side_height, side_height, side) for index, side in enumerate(match)]
    return Box(x, y, BOX_WIDTH, 2 * side_height, y + side_height, sides)


def _box_side(x: int, y: int, height: int, side: Side) -> BoxSide:
    """Return the positions of the texts of a side, vertically centred. The y of a text is its baseline."""
    top = y + (height - LINE_HEIGHT * len(side.lines)) // 2
    text_x = x + SIDE_MARGIN + (NUMBER_WIDTH if side.number else 0)
    lines = [Text(text_x, top + LINE_HEIGHT * row + 14, text) for row, text in enumerate(side.lines)]
    middle = y + height // 2 + 5
    return BoxSide(
        number=Text(x + SIDE_MARGIN, middle, side.number),
        lines=lines,
        score=Text(x + BOX_WIDTH - SIDE_MARGIN, middle, side.score),
        wins=side.wins,
        y=y,
        height=height,
    )


def fit_lines(names: Sequence[str]) -> list[str]:
    """Return the lines of a side, each cut to the width of a box.

    One or two names get a line each; more names share one line.
    """
    lines = list(names) if len(names) <= 2 else [", ".join(names)]
    return [line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 1].rstrip()}…" for line in lines]
