"""Template filters that format ratings. Their values are micro-points (a rating of 1000 is 1_000_000_000)."""

from django import template
from django.utils.translation import get_language

from players.rating.expectation import CERTAINTY, MICRO_POINTS_PER_POINT
from players.rating.k_factor import divide_half_up
from scoring.numbers import localise

register = template.Library()


@register.filter
def rating(micro: int, decimals: int = 0) -> str:
    """Format a rating in points, halves rounded up: "1,012", or "1,012.3" with `decimals` 1."""
    return localise(_rounded_points(micro, decimals), decimals)


@register.filter
def rating_change(micro: int, decimals: int = 0) -> str:
    rounded = _rounded_points(micro, decimals)
    return f"+{localise(rounded, decimals)}" if rounded > 0 else localise(rounded, decimals)


@register.filter
def chance(expected: int) -> str:
    """Format an expected score (in 10⁻⁹) with three decimals: ".536" in English, "0,536" in French."""
    text = localise((expected * 1000 + CERTAINTY // 2) // CERTAINTY / 1000, 3)
    return text.removeprefix("0") if (get_language() or "").startswith("en") else text


@register.filter
def percent(number: float) -> str:
    """Format a number of percent with one decimal, without the sign %."""
    return localise(round(number, 1) + 0.0, 1)  # + 0.0: no minus before a zero


def _rounded_points(micro: int, decimals: int) -> float:
    unit: int = MICRO_POINTS_PER_POINT // 10**decimals
    rounded: float = divide_half_up(micro, unit) / 10**decimals
    return rounded
