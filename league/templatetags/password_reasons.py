"""Template tag for the reason why a page asks for the password again: `{% password_reason as reason %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.functional import Promise

from league.web import password_reasons

register = template.Library()


@register.simple_tag(takes_context=True)
def password_reason(context: dict[str, Any]) -> str | Promise:
    return password_reasons.password_reason(context["request"])
