"""Remove secret links from log lines: URLs that give access without a sign-in.

deploy/nginx.conf and deploy/Caddyfile do the same for the logs of the proxies.
"""

from __future__ import annotations

import re
from typing import Any, Final

# Password resets, confirmations, invitations, codes of tables and of watched evenings, calendars, unsubscribe links.
# They also occur URL-encoded, in the `next` parameter of a sign-in.
SECRET_LINK_PATTERN: Final = re.compile(
    r"((?:/|%2F)(?:account(?:/|%2F)password(?:/|%2F)reset(?:/|%2F)key|account(?:/|%2F)confirm-email"
    r"|join|at|live|screen|calendar|letters(?:/|%2F)stop|registrations)(?:/|%2F))(?:(?!%2F)[^/\s\"?&])+",
    re.IGNORECASE,
)


def remove_secret_links(logger: Any, name: str, line: str) -> str:
    """Replace the secrets in a log line. It has the parameters of a structlog processor."""
    return replace_secret_links(line)


def replace_secret_links(text: str) -> str:
    """Replace the secret part of each link in the text by "***"."""
    return SECRET_LINK_PATTERN.sub(r"\1***", text)
