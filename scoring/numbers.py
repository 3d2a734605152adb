"""Numbers as text in the viewer's language. Negative numbers have a minus sign (−), not a hyphen."""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

MINUS = "−"
Number = int | Fraction | Decimal
DECIMALS = 2  # decimals of fractional points
CACHE_SIZE = 10_000  # a page shows hundreds of numbers, most of them repeatedly


def localise(number: float | Decimal, decimals: int | None = None) -> str:
    return number_format(number, decimals, use_l10n=True, force_grouping=True).replace("-", MINUS)


def number_text(value: float) -> str:
    """Format a number without unnecessary decimals: "4" for 4.0, "43.5" (in French "43,5"), "−7"."""
    return localise(int(value) if value == int(value) else value)


def round_to_decimals(number: Number, decimals: int = DECIMALS) -> int | Decimal:
    """Return a whole number as an int, and a fraction rounded to `decimals` decimals, half away from zero."""
    if number == int(number):
        return int(number)
    numerator, denominator = number.as_integer_ratio()
    size = (2 * abs(numerator) * 10**decimals + denominator) // (2 * denominator)
    return Decimal(size if numerator > 0 else -size).scaleb(-decimals)


def plural_number(number: Number | float) -> int:
    """Return an int that selects the correct plural form of a negative or fractional number in `ngettext`.

    English uses "1.5 points" and "−1 point"; French uses "1,5 point".
    """
    size = float(-number if number < 0 else number)
    if size.is_integer():
        return int(size)
    french = (get_language() or "").startswith("fr")
    return 1 if french and size < 2 else 2


def points(number: Number | None) -> SafeString | str:
    """Return the number, rounded to DECIMALS, as HTML in a <data> element with a CSS class for the colour of its sign.
    Return "–" for None.

    The colour is not needed to understand the number, because a negative number has a minus sign.
    """
    return "–" if number is None else _data_element(round_to_decimals(number), "", get_language())


def signed_points(number: Number | None) -> SafeString | str:
    """Return the same as `points`, but with a plus sign before a positive number: "+81", "−27", "0"."""
    return (
        "–" if number is None else _data_element(round_to_decimals(number), "+" if number > 0 else "", get_language())
    )


@lru_cache(CACHE_SIZE)
def _data_element(number: int | Decimal, sign: str, _language: str | None) -> SafeString:
    sign_class = " points-minus" if number < 0 else " points-plus" if number > 0 else ""
    return format_html('<data class="points{}" value="{}">{}{}</data>', sign_class, number, sign, localise(number))
