"""The maintenance page during an upgrade of the containers: python -m gunicorn deploy.maintenance

It needs neither the database nor the settings. Each URL responds 503 with the page. Its styles are static files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from whitenoise import WhiteNoise

FOLDER: Final = Path(__file__).resolve().parent
HEADERS: Final = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Retry-After", "60"),  # seconds
    ("Cache-Control", "no-store"),
]


def show_page(
    _environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], object]
) -> Iterable[bytes]:
    start_response("503 Service Unavailable", HEADERS)
    return [(FOLDER / "maintenance.html").read_bytes()]


application = WhiteNoise(show_page, root=str(FOLDER.parent / "var" / "static"), prefix="static/")
