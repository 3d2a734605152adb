"""Amounts of money in templates: `{{ fee|money:club.currency }}`."""

from django import template

from scoring.numbers import localised

register = template.Library()

SIGNS = {"EUR": "€"}  # of currencies that are written behind the amount in every language here


@register.filter
def money(cents: int, currency: str) -> str:
    """Return cents in the club's currency, on one line."""
    return f"{localised(cents / 100, 2)}\N{NO-BREAK SPACE}{SIGNS.get(currency, currency)}"
