"""The picture that a message or a social page shows beside an evening's address: who won, or when it is."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from players.names import tidy

SIZE: Final = (1200, 630)  # pixels: what those pages ask for
MARGIN: Final = 72
WIDTH: Final = SIZE[0] - 2 * MARGIN
BAR: Final = 24  # height of the band on top
GAP: Final = 40  # between a place, its name and its points
LEAST: Final = 24  # pixels a letter is high; what is still too long then ends with "…"
COLOURS: Final = 32  # of the file: letters' edges need some shades

# static/css/tokens.css has the same, in the light look.
PAPER, INK, SOFT, ACCENT, LINE = "#f5f0e6", "#25221c", "#625a4c", "#1d5c46", "#dbd1be"
MEDALS: Final = ("#e3bd4f", "#c9c9c4", "#d9a679")

REGULAR: Final = "SourceSerifPro-Regular.ttf"
STRONG: Final = "SourceSerifPro-Semibold.ttf"


class PicturePlace(NamedTuple):
    """A place of the podium; its points as they are written."""

    rank: int
    name: str
    points: str


class PictureWords(NamedTuple):
    """What is written: the club, the evening's title, what stands `under` it, and the podium if there is one."""

    club: str
    title: str
    under: str
    podium: tuple[PicturePlace, ...] = ()


def picture(words: PictureWords) -> bytes:
    """Return a PNG of SIZE."""
    podium = words.podium
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], BAR), fill=ACCENT)
    y = BAR + (40 if podium else 160)
    _line(draw, MARGIN, y, words.club, STRONG, 38, ACCENT, WIDTH)
    y += 62
    y += _line(draw, MARGIN, y, words.title, STRONG, 62 if podium else 76, INK, WIDTH)
    _line(draw, MARGIN, y, words.under, REGULAR, 36, SOFT, WIDTH)
    y += 68
    if podium:
        draw.line((MARGIN, y, SIZE[0] - MARGIN, y), fill=LINE, width=2)
    y += 26
    step = min((SIZE[1] - y - 28) // max(len(podium), 1), 104)
    for place in podium:
        _place(draw, y, step, place)
        y += step
    written = BytesIO()
    image.quantize(COLOURS).save(written, "PNG", optimize=True)
    return written.getvalue()


def _place(draw: ImageDraw.ImageDraw, y: int, step: int, place: PicturePlace) -> None:
    """Write a place in a line that is `step` high."""
    high = min(step * 5 // 9, 54)
    middle, radius = y + step // 2, high * 2 // 3
    centre = (MARGIN + radius, middle)
    fill = MEDALS[place.rank - 1] if place.rank <= len(MEDALS) else PAPER
    draw.circle(centre, radius, fill=fill)
    draw.text(centre, str(place.rank), font=_font(STRONG, high * 4 // 5), fill=INK, anchor="mm")
    points = _font(REGULAR, high)
    draw.text((SIZE[0] - MARGIN, middle), place.points, font=points, fill=INK, anchor="rm")
    left = MARGIN + 2 * radius + GAP
    space = SIZE[0] - MARGIN - int(points.getlength(place.points)) - GAP - left
    _line(draw, left, middle, place.name, STRONG, high, INK, space, anchor="lm")


def _line(
    draw: ImageDraw.ImageDraw,
    x: int,
    y: int,
    text: str,
    face: str,
    high: int,
    fill: str,
    width: int,
    anchor: str = "la",
) -> int:
    """Write a line no wider than `width`, in smaller letters or cut where it must be; how high it is."""
    text = tidy(text)  # control characters cannot be measured
    font = _font(face, high)
    while font.getlength(text) > width and high > LEAST:
        high -= 2
        font = _font(face, high)
    if font.getlength(text) > width:
        while text and font.getlength(f"{text}…") > width:
            text = text[:-1]
        text = f"{text.rstrip()}…"
    draw.text((x, y), text, font=font, fill=fill, anchor=anchor)
    return high * 4 // 3


@cache
def _font(face: str, high: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(files("league.evenings") / "fonts" / face), high)
