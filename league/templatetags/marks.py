"""Marks and small charts in templates: `{% arrow rank before %}`, `{{ rank|medal }}`, `{{ name|initials }}`."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from league.web import line_chart, marks

register = template.Library()
register.simple_tag(marks.arrow)
register.filter(marks.medal)
register.filter(marks.ordinal)


@register.filter
def initials(person: object) -> SafeString:
    return marks.initials(str(person))


@register.filter
def first_letters(person: object) -> str:
    return marks.first_letters(str(person))


@register.inclusion_tag("components/sparkline.html")
def sparkline(values: Sequence[float]) -> dict[str, object]:
    return {"spark": line_chart.sparkline(values)}
