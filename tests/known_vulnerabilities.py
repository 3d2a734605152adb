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
OPTIONS = ("--strict", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
VULNERABLE, NOT_ASKED = 1, 2
FINDING = "known vulnerabilit"  # as pip-audit begins its table: "Found 2 known vulnerabilities in 1 package"


def verdict(lock: str, code: int, output: str) -> tuple[int, str]:
    """Return how an audit of a lock file ended, and the words for it."""
    if code == 0:
        return 0, f"{lock}: nothing is known against it."
    if FINDING in output:
        return VULNERABLE, f"{lock}:\n{output}"
    return NOT_ASKED, f"{lock}: NOT AUDITED. The service that knows of vulnerabilities could not be asked.\n{output}"


def main() -> None:
    """Audit each lock file, and end with the worst."""
    worst = 0
    for lock in LOCKS:
        assert Path(lock).exists(), lock
        process = subprocess.run([sys.argv[1], *OPTIONS, "-r", lock], capture_output=True, text=True, check=False)
        code, words = verdict(lock, process.returncode, f"{process.stdout}{process.stderr}".strip())
        print(words)
        worst = max(worst, code)
    sys.exit(worst)


if __name__ == "__main__":
    main()
