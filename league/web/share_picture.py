"""Draw the picture that other programs show beside a link: title, podium, logo and colour of the club."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from players.names import normalize_spaces

LINK_SIZE: Final = (1200, 630)  # pixels, as Open Graph recommends
CARD_SIZE: Final = (1080, 1350)  # pixels; a portrait picture to forward
MARGIN: Final = 72
BAR_HEIGHT: Final = 24  # height of the band on top
COLUMN_GAP: Final = 40  # between rank, name and points
MAX_MARK_SIZE: Final = 150  # largest width and height of the club's logo
MIN_LETTER_HEIGHT: Final = 24  # pixels; a text that is still too long then ends with "…"
MAX_CARD_ROWS: Final = 10
COLOUR_COUNT: Final = 32  # colours in the file; smooth letters need several shades

# The same colours as in static/css/tokens.css, light theme.
PAPER, INK, SOFT, ACCENT, LINE = "#f5f0e6", "#25221c", "#625a4c", "#1d5c46", "#dbd1be"
MEDALS: Final = ("#e3bd4f", "#c9c9c4", "#d9a679")

REGULAR_FONT: Final = "SourceSerifPro-Regular.ttf"
BOLD_FONT: Final = "SourceSerifPro-Semibold.ttf"


class PodiumRow(NamedTuple):
    """A player's row in a picture, with the points as text."""

    rank: int
    name: str
    points: str


class PictureTexts(NamedTuple):
    """The texts of a picture. `subtitle` is the line below the title."""

    club: str
    title: str
    subtitle: str
    podium: tuple[PodiumRow, ...] = ()


class ClubAppearance(NamedTuple):
    """A club's colour, such as `#1d5c46`, and the content of its logo's file (b"" without a logo)."""

    colour: str = ACCENT
    mark: bytes = b""


def draw_share_picture(
    words: PictureTexts,
    appearance: ClubAppearance = ClubAppearance(),  # noqa: B008  immutable
    size: tuple[int, int] = LINK_SIZE,
) -> bytes:
    """Return the share picture as a PNG file. `size` is width and height in pixels."""
    podium = words.podium
    image = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0], BAR_HEIGHT), fill=appearance.colour)
    full_width = size[0] - 2 * MARGIN
    width = full_width - _paste_mark(image, appearance.mark)
    y = BAR_HEIGHT + (40 if podium else 160)
    _draw_text(draw, MARGIN, y, words.club, BOLD_FONT, 38, ACCENT, width)
    y += 62
    y += _draw_text(draw, MARGIN, y, words.title, BOLD_FONT, 62 if podium else 76, INK, width)
    _draw_text(draw, MARGIN, y, words.subtitle, REGULAR_FONT, 36, SOFT, full_width)
    y += 68
    if podium:
        draw.line((MARGIN, y, size[0] - MARGIN, y), fill=LINE, width=2)
    y += 26
    step = min((size[1] - y - 28) // max(len(podium), 1), 104)
    for row in podium:
        _draw_row(draw, size[0], y, step, row)
        y += step
    file = BytesIO()
    image.quantize(COLOUR_COUNT).save(file, "PNG", optimize=True)
    return file.getvalue()


def _paste_mark(image: Image.Image, mark: bytes) -> int:
    """Paste the logo into the upper right corner. Return the width that it uses, in pixels."""
    if not mark:
        return 0
    with Image.open(BytesIO(mark)) as source:
        drawn = source.convert("RGBA")
    drawn.thumbnail((MAX_MARK_SIZE, MAX_MARK_SIZE))
    image.paste(drawn, (image.width - MARGIN - drawn.width, BAR_HEIGHT + 40), drawn)
    return drawn.width + COLUMN_GAP


def _draw_row(draw: ImageDraw.ImageDraw, width: int, y: int, step: int, row: PodiumRow) -> None:
    letter_height = min(step * 5 // 9, 54)
    middle, radius = y + step // 2, letter_height * 2 // 3
    centre = (MARGIN + radius, middle)
    fill = MEDALS[row.rank - 1] if row.rank <= len(MEDALS) else PAPER
    draw.circle(centre, radius, fill=fill)
    draw.text(centre, str(row.rank), font=_font(BOLD_FONT, letter_height * 4 // 5), fill=INK, anchor="mm")
    points = _font(REGULAR_FONT, letter_height)
    draw.text((width - MARGIN, middle), row.points, font=points, fill=INK, anchor="rm")
    name_left = MARGIN + 2 * radius + COLUMN_GAP
    space = width - MARGIN - int(points.getlength(row.points)) - COLUMN_GAP - name_left
    _draw_text(draw, name_left, middle, row.name, BOLD_FONT, letter_height, INK, space, anchor="lm")


def _draw_text(
    draw: ImageDraw.ImageDraw,
    x: int,
    y: int,
    text: str,
    font_file: str,
    letter_height: int,
    fill: str,
    width: int,
    anchor: str = "la",
) -> int:
    """Draw the text, smaller or cut if it is wider than `width`. Return the height of its line in pixels.

    `anchor` is the point of the text at (x, y), as Pillow names it: "la" is the upper left corner.
    """
    text = normalize_spaces(text)  # control characters cannot be measured
    font = _font(font_file, letter_height)
    while font.getlength(text) > width and letter_height > MIN_LETTER_HEIGHT:
        letter_height -= 2
        font = _font(font_file, letter_height)
    if font.getlength(text) > width:
        while text and font.getlength(f"{text}…") > width:
            text = text[:-1]
        text = f"{text.rstrip()}…"
    draw.text((x, y), text, font=font, fill=fill, anchor=anchor)
    return letter_height * 4 // 3


@cache
def _font(font_file: str, letter_height: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(files("league.web") / "fonts" / font_file), letter_height)
