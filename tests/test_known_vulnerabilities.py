"""`make audit` distinguishes known vulnerabilities from a failed request."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.known_vulnerabilities import LOCKS, NOT_ASKED, VULNERABLE


@pytest.mark.parametrize(
    ("output", "code", "ends", "words"),
    [
        ("No known vulnerabilities found", 0, 0, "nothing is known"),
        ("Found 1 known vulnerability in 1 package", 1, VULNERABLE, "Found 1 known"),
        ("Dependency not found on PyPI and could not be audited: django (5.2)", 1, NOT_ASKED, "NOT AUDITED"),
        ("ConnectionError: the host can't be reached", 1, NOT_ASKED, "NOT AUDITED"),
    ],
)
def test_audit_says_how_it_ended(tmp_path: Path, output: str, code: int, ends: int, words: str) -> None:
    tool = tmp_path / "pip-audit"
    tool.write_text(f"#!/bin/sh\ncat <<'SAID'\n{output}\nSAID\nexit {code}\n")
    tool.chmod(0o755)
    command = [sys.executable, "-m", "tests.known_vulnerabilities", str(tool)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == ends
    assert process.stdout.count(words) == len(LOCKS)
