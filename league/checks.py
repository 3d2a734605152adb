"""System checks: missing settings, and the database, folder and commands that settings name.

league/environment.py checks the format of a value when it is read.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from pwd import getpwuid
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.db import DatabaseError, connection

from league.operations.queries.demo_state import DatabaseState, database_state
from league.operations.queries.first_release import is_before_first_release
from league.operations.work.backups import copies

# The example values of deploy/league.env: reserved domain names (RFC 2606) and a placeholder.
_EXAMPLE_PATTERN = re.compile(r"\bexample\b|\bchange-me\b", re.IGNORECASE)
_SETTINGS_WITH_EXAMPLES = (
    *("SECRET_KEY", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SITE_ADDRESS", "PUBLISHER", "HOSTED_BY", "CONTACT"),
    *("DEFAULT_FROM_EMAIL", "EMAIL_HOST", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD"),
)


def example_value_errors() -> Iterator[CheckMessage]:
    """Yield an error for each setting that still has its example value, if the site uses https."""
    if settings.DEBUG or not settings.HTTPS:
        return
    for name in _SETTINGS_WITH_EXAMPLES:
        if _EXAMPLE_PATTERN.search(str(getattr(settings, name))):
            variable = name if not name.startswith("EMAIL_") else "EMAIL_URL"
            yield Error(
                f"{variable} is still an example.",
                hint=f"Set {variable} to your own value, or take its line away.",
                id="league.E007",
            )


@register()
def check_settings(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Check that no setting still has its example value, and that SECRET_KEY is long enough."""
    errors = list(example_value_errors())
    if len(settings.SECRET_KEY) < 32:
        errors.append(
            Error(
                "SECRET_KEY is missing, or an example.",
                hint="Set it to a long random text, of 32 characters or more.",
                id="league.E001",
            )
        )
    return errors


@register()
def check_resources(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Check that the database, the backup's folder and command, and the configuration of its copies can be used."""
    problems = {
        "DATABASE_URL": _database_problem(),
        "BACKUP_FOLDER": _folder_problem(),
        "BACKUP_COMMAND": _command_problem(),
        "BACKUP_COPY_TO": _copy_problem(),
    }
    return [
        Error(f"{name}: {problem}", hint=f"Set {name} right, or mend what it names.", id="league.E003")
        for name, problem in problems.items()
        if problem
    ]


@register()
def check_release(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Check that the database is of release 1.0.0 or later. `deploy/upgrade` and `migrate` begin with all checks."""
    try:
        is_too_old = is_before_first_release()
    except DatabaseError:  # check league.E003 reports the error
        return []
    if not is_too_old:
        return []
    return [
        Error(
            "This database is of a build before 1.0.0. Upgrade to 1.0.0 first.",
            hint="Nothing was changed. See docs/releases.md, Which version upgrades to which.",
            id="league.E010",
        )
    ]


@register()
def check_demo(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Check that a public demo has a database of its own, because the nightly reset deletes everything in it."""
    try:
        state = database_state()
    except DatabaseError:  # check league.E003 reports the error
        return []
    if settings.DEMO and state is DatabaseState.FOREIGN:
        return [
            Error(
                "DEMO is true, and the database has clubs or accounts that are not the demo's.",
                hint="Set DATABASE_URL to an empty database, or take DEMO away.",
                id="league.E008",
            )
        ]
    if not settings.DEMO and state is DatabaseState.DEMO:
        return [
            Error(
                "DEMO is not true, and the database is a demo's: its resets would delete all that is entered here.",
                hint="Set DATABASE_URL to an empty database, or DEMO to true.",
                id="league.E009",
            )
        ]
    return []


def _database_problem() -> str:
    try:
        connection.ensure_connection()
    except DatabaseError as error:  # its message never contains the password
        return f"the database does not let us in ({' '.join(str(error).split())})."
    return ""


def _folder_problem() -> str:
    folder = settings.BACKUP_FOLDER
    if folder and not Path(folder).is_dir():
        return f"{folder!r} is no folder, or its disk is not mounted."
    if folder and not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        return f"{folder!r} can not be written to by the user {getpwuid(os.geteuid()).pw_name}."
    return ""


def _command_problem() -> str:
    if not settings.BACKUP_COMMAND:
        return ""
    shell = subprocess.run(  # noqa: S603  -n: only checks the syntax
        ["/bin/sh", "-n", "-c", settings.BACKUP_COMMAND], capture_output=True, text=True, check=False
    )
    return f"the shell can not read it ({' '.join(shell.stderr.split())})." if shell.returncode else ""


def _copy_problem() -> str:
    """Return the problem of the configuration for copies of backups, or "".

    Send no request: the other server may be down when this one starts.
    """
    if not settings.BACKUP_COPY_TO:
        return ""
    try:
        Path(settings.BACKUP_COPY_CONFIG).open("rb").close()
        remotes = copies.configured_remotes()
    except (OSError, copies.CopyFailed) as error:
        return f"BACKUP_COPY_CONFIG can not be used ({error})."
    name = settings.BACKUP_COPY_TO.partition(":")[0]
    return "" if name in remotes else f"{settings.BACKUP_COPY_CONFIG} has no section [{name}]."
