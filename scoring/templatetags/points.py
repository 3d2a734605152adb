"""Template filters for points: `{{ total|points }}`, `{{ given|signed }}`."""

from django import template

from scoring import numbers

register = template.Library()
register.filter(numbers.points)
register.filter("signed", numbers.signed_points)
register.filter(numbers.plural_number)
register.filter("plain_number", numbers.number_text)
