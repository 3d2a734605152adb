"""HTML of pages without the line breaks of their templates."""

from __future__ import annotations

import re
from typing import Any

BROKEN_AT_A_TAG = re.compile(r"(?<=>)\s*\n\s*|\s*\n\s*(?=[<>])")


def unbroken(response: Any) -> str:
    """Return a response's HTML with each line break beside a tag removed, and others replaced by a space."""
    html: str = response if isinstance(response, str) else response.content.decode()
    return re.sub(r"\s*\n\s*", " ", BROKEN_AT_A_TAG.sub("", html))
