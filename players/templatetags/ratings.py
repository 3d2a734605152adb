"""How ratings look. Decides looks only; micro-points come in (1000 points = 1_000_000_000)."""

from django import template
from django.utils.translation import get_language

from players.rating.expectation import CERTAIN, POINT
from players.rating.k_factor import half_up
from scoring.numbers import localised

register = template.Library()


@register.filter
def rating(micro: int, places: int = 0) -> str:
    """Return a rating or a band in points: 1,012, or 1,012.3 with one place; halves up."""
    return localised(_rounded(micro, places), places)


@register.filter
def moved(micro: int, places: int = 0) -> str:
    """Return a change in points, always with its sign: +2.4 or −0.3."""
    rounded = _rounded(micro, places)
    return f"+{localised(rounded, places)}" if rounded > 0 else localised(rounded, places)


@register.filter
def chance(expected: int) -> str:
    """Return what was expected of a side, from 10⁻⁹: .536, as it is written in English, elsewhere 0,536."""
    written = localised((expected * 1000 + CERTAIN // 2) // CERTAIN / 1000, 3)
    return written.removeprefix("0") if (get_language() or "").startswith("en") else written


@register.filter
def percent(number: float) -> str:
    """Return a number of percents with one decimal: 2.1 or −0.3."""
    return localised(round(number, 1) + 0.0, 1)  # + 0.0: no minus before a zero


def _rounded(micro: int, places: int) -> float:
    unit: int = POINT // 10**places
    rounded: float = half_up(micro, unit) / 10**places
    return rounded
