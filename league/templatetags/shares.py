"""Shares in templates: `{{ found.share|share }}`."""

from babel.numbers import format_percent
from django import template
from django.utils.translation import get_language, to_locale

register = template.Library()


@register.filter
def share(number: float | None) -> str:
    """Return a share, 0 to 1, in whole percents as the reader's language writes them: 37% or 37 %."""
    return "–" if number is None else format_percent(number, locale=to_locale(get_language() or "en"))
