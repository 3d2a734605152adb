"""Template filter for shares as percentages: `{{ found.share|share }}`."""

from babel.numbers import format_percent
from django import template
from django.utils.translation import get_language, to_locale

register = template.Library()


@register.filter
def share(number: float | None) -> str:
    """Return the share as a percentage in the viewer's language; "–" for None."""
    return "–" if number is None else format_percent(number, locale=to_locale(get_language() or "en"))
