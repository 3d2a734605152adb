"""Amounts of money as pages show them."""

import pytest
from django.utils import translation

from league.templatetags.money import money

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("language", "cents", "currency", "shown"),
    [
        ("en", 350, "EUR", f"3.50{SPACE}€"),
        ("fr", 350, "EUR", f"3,50{SPACE}€"),
        ("en", 0, "EUR", f"0.00{SPACE}€"),
        ("en", 123_456, "EUR", f"1,234.56{SPACE}€"),
        ("fr", 123_456, "EUR", f"1{SPACE}234,56{SPACE}€"),
        ("en", -5, "EUR", f"−0.05{SPACE}€"),
        ("fr", 500, "CHF", f"5,00{SPACE}CHF"),
    ],
)
def test_amount_is_in_the_readers_language_on_one_line(language: str, cents: int, currency: str, shown: str) -> None:
    with translation.override(language):
        assert money(cents, currency) == shown
