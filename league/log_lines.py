"""What no line of a log may hold: links that let in whoever has them."""

from __future__ import annotations

import re
from typing import Any, Final

# Password resets, confirmations, invitations, codes of tables and of watched evenings, what stops letters.
LINKS: Final = re.compile(
    r"(/(?:account/password/reset/key|account/confirm-email|join|at|live|screen|letters/stop)/)[^/\s\"?]+"
)


def without_links(logger: Any, name: str, line: str) -> str:
    """Blot out what makes a link valid. A processor of structlog, the last one before a line is written."""
    return LINKS.sub(r"\1***", line)
