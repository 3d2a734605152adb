"""System checks of what is missing from the settings, or does not answer: each names the variable.

What a value may be is checked where it is read (league/environment.py).
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

# What deploy/league.env shows: reserved names (RFC 2606), and a text that nobody would keep.
_EXAMPLE = re.compile(r"\bexample\b|\bchange-me\b", re.IGNORECASE)
_NEVER_EXAMPLES = (
    *("SECRET_KEY", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SITE_ADDRESS", "PUBLISHER", "HOSTED_BY", "CONTACT"),
    *("DEFAULT_FROM_EMAIL", "EMAIL_HOST", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD"),
)


def examples() -> Iterator[CheckMessage]:
    """Yield an error for each setting that has the value of an example, where the site is served to others."""
    if settings.DEBUG or not settings.HTTPS:
        return
    for name in _NEVER_EXAMPLES:
        if _EXAMPLE.search(str(getattr(settings, name))):
            variable = name if not name.startswith("EMAIL_") else "EMAIL_URL"
            yield Error(
                f"{variable} is still an example.",
                hint=f"Set {variable} to your own value, or take its line away.",
                id="league.E007",
            )


@register()
def check_settings(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Report what would only fail later, and less clearly."""
    found = list(examples())
    if len(settings.SECRET_KEY) < 32:
        found.append(
            Error(
                "SECRET_KEY is missing, or an example.",
                hint="Set it to a long random text, of 32 characters or more.",
                id="league.E001",
            )
        )
    return found


@register()
def check_surroundings(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Report settings that name what is not there: a database that refuses us, a folder, a command's syntax."""
    problems = {
        "DATABASE_URL": _database_problem(),
        "BACKUP_FOLDER": _folder_problem(),
        "BACKUP_COMMAND": _command_problem(),
    }
    return [
        Error(f"{name}: {problem}", hint=f"Set {name} right, or mend what it names.", id="league.E003")
        for name, problem in problems.items()
        if problem
    ]


def _database_problem() -> str:
    try:
        connection.ensure_connection()
    except DatabaseError as error:  # never with the password
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
    read = subprocess.run(  # noqa: S603  read, and not run
        ["/bin/sh", "-n", "-c", settings.BACKUP_COMMAND], capture_output=True, text=True, check=False
    )
    return f"the shell can not read it ({' '.join(read.stderr.split())})." if read.returncode else ""
