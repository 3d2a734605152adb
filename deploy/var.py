"""Small private files in var/, which other commands and the next start read."""

import secrets
import shlex
from pathlib import Path


def secret_key(path: Path) -> str:
    """Return the secret key in this file. Create the file with a new key if it is missing."""
    if not path.exists():
        _write_private(path, secrets.token_urlsafe(50))
    return path.read_text().strip()


DATABASE_GENERATION = "2"  # generation of the database's schema; the migrations began again from zero with it


def find_older_database(folder: Path) -> Path | None:
    """Return the folder of the database, `folder`/postgres, if its schema is older than the first migration, else None.

    If there is no database yet, write the present generation of the schema to a marker file.
    """
    database, marker = folder / "postgres", folder / "generation"
    if database.exists() and not (marker.exists() and marker.read_text() == DATABASE_GENERATION):
        return database
    marker.write_text(DATABASE_GENERATION)
    return None


def write_environment(path: Path, environment: dict[str, str]) -> None:
    """Write the settings of the running application as a shell file: addresses, secret key, demo mode."""
    names = ["DATABASE_URL", "REDIS_URL", "SECRET_KEY", "LOCAL_STATIC", *(["DEMO"] if "DEMO" in environment else [])]
    _write_private(path, "".join(f"{name}={shlex.quote(environment[name])}\n" for name in names))


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, in one step (by renaming)."""
    unfinished = path.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600, exist_ok=False)
    unfinished.write_text(text)
    unfinished.replace(path)
