"""What no line of a log may hold: links that let in whoever has them.

The proxies' own logs have the same list: deploy/nginx.conf, deploy/Caddyfile.
"""

from __future__ import annotations

import re
from typing import Any, Final

# Password resets, confirmations, invitations, codes of tables and of watched evenings, calendars, what stops letters;
# also encoded, as the page to which a sign-in leads back.
LINKS: Final = re.compile(
    r"((?:/|%2F)(?:account(?:/|%2F)password(?:/|%2F)reset(?:/|%2F)key|account(?:/|%2F)confirm-email"
    r"|join|at|live|screen|calendar|letters(?:/|%2F)stop)(?:/|%2F))(?:(?!%2F)[^/\s\"?&])+",
    re.IGNORECASE,
)


def without_links(logger: Any, name: str, line: str) -> str:
    """Blot out what makes a link valid. A processor of structlog, the last one before a line is written."""
    return blotted(line)


def blotted(text: str) -> str:
    """Return a text without what makes a link valid."""
    return LINKS.sub(r"\1***", text)
