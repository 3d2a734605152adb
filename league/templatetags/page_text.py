"""A block of a page as plain text for other places: {% page_text as title %}{% block title %}…{% endpage_text %}."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_block_tag
def page_text(content: str) -> SafeString:
    """Return the content, which is HTML already, on one line and safe in an attribute."""
    return mark_safe(" ".join(content.split()).replace('"', "&quot;"))  # noqa: S308  escaped by the block
