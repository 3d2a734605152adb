import re
from decimal import Decimal

from babel.numbers import format_currency
from django.utils.translation import get_language, to_locale

from scoring.numbers import MINUS

# Unicode's data asks for a space between a currency's letters and the digits; Babel sets none.
_MISSING_SPACE = re.compile(r"(?<=[A-Z])(?=\d)")


def format_money(cents: int, currency: str) -> str:
    """Return the amount as text in the viewer's language. `currency` is a code such as "EUR"."""
    locale = to_locale(get_language() or "en")
    text = format_currency(Decimal(cents) / 100, currency, locale=locale, currency_digits=False)
    return _MISSING_SPACE.sub("\N{NO-BREAK SPACE}", text).replace("-", MINUS)
