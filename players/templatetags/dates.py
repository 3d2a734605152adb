"""The filter `date` in all templates (settings.TEMPLATES): Django's filter, with the French "1er décembre"."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.defaultfilters import date as django_date

from players.dates import with_french_first_day

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, arg: str | None = None) -> str:
    return with_french_first_day(value, django_date(value, arg))
