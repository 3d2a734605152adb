"""How deploy/upgrade may start a release, by the real answers of real workers; each worker here is a machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.faults.machines import ROOT, Machines

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

NOT_ROLLING = ("sessions", "0001_initial")  # a package's migration states nothing


def upgrade_way(machines: Machines, **environment: str) -> tuple[int, str]:
    process = subprocess.run(
        [sys.executable, "manage.py", "upgrade_way"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": machines.database, "REDIS_URL": machines.queue, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return process.returncode, process.stdout.strip()


def test_while_other_machines_run_their_release_must_work_after_each_migration(machines: Machines) -> None:
    assert upgrade_way(machines) == (0, "rolling")
    recorder = MigrationRecorder(connection)
    pending = [key for key in recorder.applied_migrations() if key[0] == NOT_ROLLING[0] and key >= NOT_ROLLING]
    for app, name in pending:
        recorder.record_unapplied(app, name)
    try:
        status, output = upgrade_way(machines)
        other_site = upgrade_way(machines, SECRET_KEY="x" * 40)
    finally:
        for app, name in pending:
            recorder.record_applied(app, name)
    assert status != 0
    assert "worker" in output
    assert "sessions.0001_initial" in output
    assert other_site == (0, "alone")  # it has the same Redis, but not the same workers


def test_without_redis_nobody_knows_and_the_way_out_is_named(machines: Machines) -> None:
    status, output = upgrade_way(machines, REDIS_URL="redis://127.0.0.1:1")
    assert status != 0
    assert "ALONE=yes" in output
