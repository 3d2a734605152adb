"""Amounts of money as pages show them."""

import pytest
from django.utils import translation

from league.clubs.queries.money import format_money

SPACE = "\N{NO-BREAK SPACE}"
NARROW = "\N{NARROW NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("language", "cents", "currency", "text"),
    [
        ("en-gb", 350, "EUR", "€3.50"),
        ("fr", 350, "EUR", f"3,50{SPACE}€"),
        ("en-gb", 0, "EUR", "€0.00"),
        ("en-gb", 123_456, "EUR", "€1,234.56"),
        ("fr", 123_456, "EUR", f"1{NARROW}234,56{SPACE}€"),
        ("en-gb", -5, "EUR", "−€0.05"),
        ("en-gb", 500, "GBP", "£5.00"),
        ("en-gb", 500, "CHF", f"CHF{SPACE}5.00"),
        ("fr", 500, "CHF", f"5,00{SPACE}CHF"),
        ("en-gb", 550, "XAB", f"XAB{SPACE}5.50"),
        ("fr", 550, "JPY", f"5,50{SPACE}JPY"),  # nothing is rounded away
    ],
)
def test_amount_is_in_the_readers_language_on_one_line(language: str, cents: int, currency: str, text: str) -> None:
    with translation.override(language):
        assert format_money(cents, currency) == text
