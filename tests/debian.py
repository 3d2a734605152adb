"""Debian's packages that the checks need, installed where we may; elsewhere a message says what to install.

python -m tests.debian      finds what `make test` needs of them: systemd-analyze, which looks at deploy/systemd
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

MISSING = (
    "The services' tests need systemd-analyze: install your system's package systemd (Debian: apt install systemd), "
    "or run them on a Linux that has it."
)


def is_ours() -> bool:
    """Return whether this is a Debian, and we are its root."""
    release = Path("/etc/os-release")
    return os.geteuid() == 0 and release.exists() and "ID=debian" in release.read_text().splitlines()


def install(*packages: str) -> None:
    """Install the packages, if this is Debian and we are root; whether they are there is for the caller to look."""
    if not is_ours():
        return
    print(f"Installing {', '.join(packages)} (once) …", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    if not shutil.which("systemd-analyze"):
        install("systemd")
    if not shutil.which("systemd-analyze"):
        sys.exit(MISSING)
