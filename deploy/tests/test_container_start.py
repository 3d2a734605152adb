"""The commands that deploy/container/start makes of the services: nothing of the syntax of systemd may be left."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("web", ["gunicorn", "--bind 0.0.0.0:8001"]),
        ("worker", ["worker", "--hostname night@%h", "--beat"]),
        ("background", ["worker", "--hostname background@%h"]),
        ("beat", ["beat"]),
    ],
)
def test_each_part_starts_without_variables_of_systemd(part: str, words: list[str], tmp_path: Path) -> None:
    """A web server that was bound to "${HOST}" did not start; the images are built by no other test of `make test`."""
    for name, script in (("python", 'echo "$@"'), ("pg_isready", "true")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOST": "10.0.0.11", "WORKER_OPTIONS": "--beat"}
    output = subprocess.run(
        ["deploy/container/start", part], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout
    check, command = output.splitlines()
    assert check == "manage.py check --deploy"
    assert all(word in command for word in words), command
    assert "$" not in command
    assert "%%" not in command
