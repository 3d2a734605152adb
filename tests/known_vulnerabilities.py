"""`make audit`: what is publicly known against the packages of the lock files, by pip-audit.

    python -m tests.known_vulnerabilities PIP_AUDIT

Ends with 1 where something is known, and with 2 where the service that knows can't be asked: pip-audit alone would call
a package clean that it could not look up. No gate: what is known changes without a change here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LOCKS = ("requirements.txt", "deploy/requirements-local.txt")  # what runs where people's data is
ASKED = ("--strict", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
KNOWN, NOT_ASKED = 1, 2
FOUND = "known vulnerabilit"  # as pip-audit begins its table: "Found 2 known vulnerabilities in 1 package"


def verdict(lock: str, code: int, said: str) -> tuple[int, str]:
    """Return how an audit of a lock file ended, and the words for it."""
    if code == 0:
        return 0, f"{lock}: nothing is known against it."
    if FOUND in said:
        return KNOWN, f"{lock}:\n{said}"
    return NOT_ASKED, f"{lock}: NOT AUDITED. The service that knows of vulnerabilities could not be asked.\n{said}"


def main() -> None:
    """Audit each lock file, and end with the worst."""
    worst = 0
    for lock in LOCKS:
        assert Path(lock).exists(), lock
        done = subprocess.run([sys.argv[1], *ASKED, "-r", lock], capture_output=True, text=True, check=False)
        code, words = verdict(lock, done.returncode, f"{done.stdout}{done.stderr}".strip())
        print(words)
        worst = max(worst, code)
    sys.exit(worst)


if __name__ == "__main__":
    main()
