"""Small graphics beside names and ranks: rank changes, medals, initials. Screen readers get words instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from zlib import crc32

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.web.charts import SEAT_MAP_SIZE, PlayerRoundBars, RecentEveningBars, seat_positions

MEDALS: Final = 3  # ranks with a medal
BAND_WIDTH, BAND_HEIGHT, BAND_DOT = 140, 14, 4  # pixels; BAND_DOT is the radius of the dot
TINT_COUNT: Final = 4  # background colours of initials; marks.css has a class for each


def rank_change(rank: int | None, before: int | None) -> str:
    """Return "up 2", "down 1", "same" or "new", in the viewer's language; "" if `rank` is None.

    `before` is the earlier rank; None: the player is new.
    """
    if rank is None:
        return ""
    if before is None:
        return _("new")
    if rank == before:
        return _("same")
    words = _("up %(places)s") if rank < before else _("down %(places)s")
    return words % {"places": abs(rank - before)}


def rank_arrow(rank: int | None, before: int | None) -> SafeString | str:
    """Return the change of rank as HTML: an arrow, and words for screen readers; "" if `rank` is None."""
    if rank is None:
        return ""
    words = rank_change(rank, before)
    if before is None:
        return format_html('<span class="move move-new">{}</span>', words)
    difference = abs(rank - before)
    kind, sign = ("up", "▲") if rank < before else ("down", "▼") if rank > before else ("same", "=")
    return format_html(
        '<span class="move move-{}"><span aria-hidden="true">{}{}</span><span class="visually-hidden">{}</span></span>',
        kind,
        sign,
        difference or "",
        words,
    )


def ordinal(rank: int) -> str:
    """Return "1st", "2nd", "3rd" …, in the viewer's language."""
    if rank == 1:
        return _("1st")
    last = rank % 10 if rank % 100 not in (11, 12, 13) else 0
    endings = {
        1: _("%(rank)sst"),
        2: _("%(rank)snd"),
        3: _("%(rank)srd"),
    }
    return endings.get(last, _("%(rank)sth")) % {"rank": rank}


def medal(rank: int | None) -> SafeString | str:
    """Return the rank as HTML: ranks 1 to 3 as a medal, and "–" for None."""
    if rank is None:
        return "–"
    return format_html('<span class="medal medal-{}">{}</span>', rank, rank) if rank <= MEDALS else str(rank)


def initials(name: str) -> SafeString:
    """Return the initials as HTML, with a background colour that is always the same for a name."""
    tint = crc32(name.encode()) % TINT_COUNT
    return format_html('<span class="initials initials-{}" aria-hidden="true">{}</span>', tint, initials_of(name))


def initials_of(name: str) -> str:
    """Return the first letters of the first and the last word of a name, in upper case."""
    words = name.split()
    return (words[0][:1] + (words[-1][:1] if len(words) > 1 else "")).upper() if words else ""


def recent_evening_bars_svg(bars: RecentEveningBars) -> SafeString:
    """Return the bars of a player's last evenings as SVG.

    Screen readers get only the number of evenings won, because other cells contain the other numbers.
    """
    label = 'aria-hidden="true"'
    if bars.won:
        label = format_html('role="img" aria-label="{}"', _("evenings won: %(number)s") % {"number": bars.won})
    paths = "".join([f'<path class="{outcome}" d="{path}"/>' for outcome, path in bars.paths.items()])
    if bars.strikes:
        paths += f'<path class="strike" d="{bars.strikes}"/>'
    size = f'width="{bars.width}" height="{bars.height}"'
    return mark_safe(f'<svg class="evening-bars" {size} {label}>{paths}</svg>')  # noqa: S308  numbers of this program


def round_bars_svg(bars: PlayerRoundBars) -> SafeString:
    """Return a player's points per round as SVG. Screen readers skip it, because other cells have the same numbers."""
    size = f'viewBox="0 0 {bars.width} {bars.height}" width="{bars.width}" height="{bars.height}"'
    paths = f'<path class="axis" d="M{bars.zero} 0v{bars.height}"/>'
    for css, path in (("gain", bars.gains), ("loss", bars.losses)):
        paths += f'<path class="{css}" d="{path}"/>' if path else ""
    return mark_safe(f'<svg class="round-bars" {size} preserveAspectRatio="none" aria-hidden="true">{paths}</svg>')  # noqa: S308  numbers only


def band_svg(low: int, value: int, high: int, axis: tuple[int, int]) -> SafeString:
    """Return a value as a dot on a band from `low` to `high`, as SVG.

    `axis` are the values at both ends of the picture. Rows with the same axis can be compared. Screen readers skip the
    picture, because the next cell has the same numbers.
    """
    first, last = axis
    left_edge, dot, right = (
        BAND_DOT + (end - first) * (BAND_WIDTH - 2 * BAND_DOT) // max(last - first, 1) for end in (low, value, high)
    )
    middle = BAND_HEIGHT // 2
    line = f'<path d="M{left_edge} {middle}H{right}M{left_edge} 3v{BAND_HEIGHT - 6}M{right} 3v{BAND_HEIGHT - 6}"/>'
    circle = f'<circle cx="{dot}" cy="{middle}" r="{BAND_DOT}"/>'
    size = f'width="{BAND_WIDTH}" height="{BAND_HEIGHT}"'
    return mark_safe(f'<svg class="band" {size} aria-hidden="true">{line}{circle}</svg>')  # noqa: S308  numbers only


def seat_map_svg(best_seats: Sequence[bool]) -> SafeString:
    """Return a table with its seats as SVG. A seat whose flag in `best_seats` is True is filled.

    Screen readers skip the picture, because the list next to the picture has names and points.
    """
    middle = SEAT_MAP_SIZE // 2
    parts = [f'<circle class="table-top" cx="{middle}" cy="{middle}" r="15"/>']
    for number, ((x, y), is_best) in enumerate(zip(seat_positions(len(best_seats)), best_seats, strict=True), 1):
        css = ' class="best"' if is_best else ""
        parts.append(f'<circle{css} cx="{x}" cy="{y}" r="9"/><text x="{x}" y="{y}">{number}</text>')
    size = f'width="{SEAT_MAP_SIZE}" height="{SEAT_MAP_SIZE}"'
    svg = f'<svg class="seat-map" {size} aria-hidden="true">{"".join(parts)}</svg>'
    return mark_safe(svg)  # noqa: S308  numbers of this program
