"""Backups, restores and deletions on the distribution's PostgreSQL, as a server has it: `make test` has a newer one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import debian

pytestmark = pytest.mark.deploy

ROOT = Path(__file__).resolve().parent.parent.parent
VERSIONS = Path("/usr/lib/postgresql")  # of Debian
OURS = ("DATABASE_URL", "REDIS_URL", "LEAGUE_TEST_VALKEY")  # servers of these tests
TRIED = (
    *(f"league/operations/tests/test_{subject}.py" for subject in ("backup", "drill", "revocations", "restoration")),
    *("league/actions/tests/test_club_deletion.py", "tests/faults/test_killed_deletion.py"),
    "tests/faults/test_killed_backups.py",
)


def test_backups_restores_and_deletions_hold_on_the_distributions_postgresql() -> None:
    if not list(VERSIONS.glob("*/bin/initdb")):
        debian.install("postgresql")
    programs = max(VERSIONS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])).parent
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-m", "faults or not faults", "-p", "no:cacheprovider", *TRIED],
        cwd=ROOT,
        env=environment | {"PG_BIN": str(programs)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.returncode == 0, f"{programs}:\n{process.stdout}"
    print(f"{programs}: {process.stdout.splitlines()[-1]}")
