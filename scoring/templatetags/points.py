"""How points, money and links to numbers look. Decides looks only."""

from functools import lru_cache

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

NUMBERS = 10_000  # kept as they are written: a page shows hundreds, most of them again

MINUS = "−"
SIGNS = {"EUR": "€"}  # of currencies that are written behind the amount in every language here


def localised(number: float, places: int | None = None) -> str:
    """A number in the reader's language with a real minus sign."""
    return number_format(number, places, use_l10n=True, force_grouping=True).replace("-", MINUS)


@register.filter
def points(number: int | None) -> SafeString | str:
    """A sum of points: minus sign and class, so that a loss is told by sign and not by colour alone."""
    return "–" if number is None else _data(number, "", get_language())


@register.filter
def signed(number: int | None) -> SafeString | str:
    """What a deal or line gave: always with its sign, +81 or −27."""
    return "–" if number is None else _data(number, "+" if number > 0 else "", get_language())


@lru_cache(NUMBERS)
def _data(number: int, sign: str, _language: str | None) -> SafeString:
    side = " points-minus" if number < 0 else " points-plus" if number > 0 else ""
    return format_html('<data class="points{}" value="{}">{}{}</data>', side, number, sign, localised(number))


@register.filter
def money(cents: int, currency: str) -> str:
    """Cents in the club's currency, on one line."""
    return f"{localised(cents / 100, 2)}\N{NO-BREAK SPACE}{SIGNS.get(currency, currency)}"
