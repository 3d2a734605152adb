"""pytest plugin: migrations run once, into a template database that each worker's database is a copy of.

pyproject.toml names it. The schema is kept in pytest's cache, under a hash of all that it follows from; a changed
migration or requirement makes another one. `pytest --cache-clear` makes it again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCK = 7_239_114  # of PostgreSQL: one worker at a time makes the template
OLDEST_KEPT = 17_0000  # PostgreSQL's version; an older server refuses a dump by the programs of the tests' own one


@pytest.fixture(autouse=True, scope="session")
def _databases_from_a_template(pytestconfig: pytest.Config) -> None:
    from django.conf import settings

    if not settings.configured:
        return
    from django.db.backends.postgresql.creation import DatabaseCreation

    # `-p no:cacheprovider` leaves no cache: then each run makes the template anew.
    folder = pytestconfig.cache.mkdir("schema") if pytestconfig.pluginmanager.has_plugin("cacheprovider") else None
    migrate: Any = DatabaseCreation.create_test_db

    def create(creation: Any, *args: Any, keepdb: bool = False, **options: Any) -> str:
        if keepdb:
            database_name: str = migrate(creation, *args, keepdb=True, **options)
            return database_name
        return _copy_of_template(creation, folder, migrate)

    setattr(DatabaseCreation, migrate.__name__, create)


def _copy_of_template(creation: Any, folder: Path | None, migrate: Any) -> str:
    connection = creation.connection
    name: str = creation._get_test_db_name()
    template = f"template_{_fingerprint()}"
    connection.close()
    with creation._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        cursor.execute("SELECT FROM pg_database WHERE datname = %s", [template])
        if cursor.fetchone() is None:
            _make_template(creation, cursor, template, folder, migrate)
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    _use(connection, name)
    return name


def _make_template(creation: Any, cursor: Any, template: str, folder: Path | None, migrate: Any) -> None:
    """Restore the schema that an earlier run kept, else run the migrations and keep what they made.

    It gets its name when it is complete: a worker that is killed leaves no half-made template.
    """
    from league.operations.work.backups.postgres_tools import run_tool

    connection = creation.connection
    unfinished = f"{template}_unfinished"
    dump = folder / f"{template}.dump" if folder and connection.pg_version >= OLDEST_KEPT else None
    cursor.execute(f'DROP DATABASE IF EXISTS "{unfinished}" WITH (FORCE)')
    if dump and dump.exists():
        cursor.execute(f'CREATE DATABASE "{unfinished}"')
        with run_tool("pg_restore", "--no-owner", "--exit-on-error", str(dump), database=unfinished):
            pass
    else:
        before = connection.settings_dict["TEST"]["NAME"]
        connection.settings_dict["TEST"]["NAME"] = unfinished
        migrate(creation, verbosity=0, autoclobber=True, serialize=False)
        connection.settings_dict["TEST"]["NAME"] = before
        connection.close()
        if dump:
            _keep(unfinished, dump)
    cursor.execute(f'ALTER DATABASE "{unfinished}" RENAME TO "{template}"')


def _keep(database: str, dump: Path) -> None:
    """Write the schema to a file, in the place of the one of other migrations."""
    from league.operations.work.backups.postgres_tools import run_tool

    for old in dump.parent.glob("template_*.dump"):
        old.unlink()
    unfinished = dump.with_suffix(".new")
    with run_tool("pg_dump", "--format=custom", "--compress=0", f"--file={unfinished}", database=database):
        pass
    unfinished.rename(dump)


def _fingerprint() -> str:
    """Return a hash of the migrations, and of the requirements, which have migrations of their own."""
    digest = hashlib.sha256()
    folders = [ROOT / app / "migrations" for app in ("league", "players")]
    migrations = (path for folder in folders for path in folder.iterdir() if path.suffix in (".py", ".sql"))
    for path in sorted([*migrations, ROOT / "requirements.txt"]):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _use(connection: Any, name: str) -> None:
    from django.conf import settings

    connection.close()
    settings.DATABASES[connection.alias]["NAME"] = name
    connection.settings_dict["NAME"] = name
