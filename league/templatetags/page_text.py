"""Template tag that returns a block of a page as one line of text, for example for meta tags.

{% page_text as title %}{% block title %}…{% endblock %}{% endpage_text %}
"""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_block_tag
def page_text(content: str) -> SafeString:
    """Return the content on one line, safe in an HTML attribute. The content is HTML already."""
    return mark_safe(" ".join(content.split()).replace('"', "&quot;"))  # noqa: S308  escaped by the block
