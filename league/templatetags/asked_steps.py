"""What the password is asked for, in templates: `{% asked_step as step %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.functional import Promise

from league.web import asked_steps

register = template.Library()


@register.simple_tag(takes_context=True)
def asked_step(context: dict[str, Any]) -> str | Promise:
    return asked_steps.asked_step(context["request"])
