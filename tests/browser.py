"""The Chromium that the browser tests drive: the machine's own, not a download.

Chromium's headless shell where there is one: the same engine and the same pages for three quarters of the work, as it
draws no window. A whole browser does as well.

python -m tests.browser      finds it; installs the shell on Debian when root; else says what to install
"""

import os
import shutil
import sys
from pathlib import Path

from tests import debian

_SHELL = "chromium-headless-shell"
_NAMES = (_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
MISSING = (
    f"The browser tests need Chromium: install your system's package (Debian: apt install {_SHELL}; "
    "Fedora: dnf install chromium; macOS: Google Chrome), or set CHROMIUM to its program."
)
FLAGS = (
    "--no-sandbox",  # which a container or root can't have; it sees our own pages only
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> Path | None:
    """Return the browser's program, CHROMIUM first, or None."""
    if configured := os.environ.get("CHROMIUM"):
        return Path(configured) if Path(configured).exists() else None
    program = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if program:
        return Path(program)
    return _MAC if _MAC.exists() else None


def install() -> None:
    """Install Debian's package where it is missing and we may."""
    if "CHROMIUM" not in os.environ and not shutil.which(_SHELL):
        debian.install(_SHELL)


if __name__ == "__main__":
    install()
    if chromium() is None:
        sys.exit(MISSING)
