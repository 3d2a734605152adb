"""Marks and small charts in templates: `{% rank_arrow rank before %}`, `{{ rank|medal }}`, `{{ name|initials }}`."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from league.models import Season, Seat, Table
from league.web import line_chart, marks

register = template.Library()
register.simple_tag(marks.rank_arrow)
register.filter(marks.medal)
register.filter(marks.ordinal)


@register.filter
def initials(person: object) -> SafeString:
    return marks.initials(str(person))


@register.filter
def initials_of(person: object) -> str:
    return marks.initials_of(str(person))


@register.simple_tag
def seat_map(seats: Sequence[Seat], table: Table, season: Season) -> SafeString:
    """Return a drawing of the table as SVG. Once the table is complete, the seats with the best points are filled."""
    best = (min if season.low_wins else max)(seat.points for seat in seats)
    return marks.seat_map_svg([table.complete and seat.points == best for seat in seats])


@register.inclusion_tag("components/sparkline.html")
def sparkline(values: Sequence[float]) -> dict[str, object]:
    """Draw the values as a small line; nothing for fewer than two values."""
    return {"spark": line_chart.sparkline(values)}
