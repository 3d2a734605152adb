"""Notes for the lights how a backup or a drill ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

import psycopg
import structlog
from django.db import Error

from league.models.check import CheckKind
from league.operations.work.backups.archive import UnreadableArchive
from league.operations.work.backups.drill import DrillFailed
from league.operations.work.backups.postgres_tools import Busy, ToolFailed
from league.operations.work.backups.restoration import NewerBackup
from league.operations.work.backups.side_database import SideDatabaseFailed
from league.operations.work.backups.store import CommandFailed
from league.operations.work.check_notes import note

__all__ = ["FAILURES", "Busy", "noted"]

log = structlog.get_logger(__name__)

# What may go wrong, each with a text for the reader.
FAILURES: Final = (
    *(OSError, Error, psycopg.Error, ToolFailed, CommandFailed, UnreadableArchive),
    *(SideDatabaseFailed, NewerBackup, DrillFailed),
)


def noted(
    kind: CheckKind, work: Callable[[], str], now: Callable[[], datetime], warn: Callable[[str], object] = log.warning
) -> str:
    """Do the work and note what it says of its end, or why it failed; the failure is raised again.

    A database that is away, or older than this code, forbids no backup: `warn` is told.
    """
    failure = None
    try:
        said = work()
    except FAILURES as error:
        failure, said = error, str(error).strip()
    try:
        note(kind, now=now(), ok=failure is None, summary=said)
    except Error as error:
        warn(f"That a {kind} was made or failed could not be noted: {error}")
    if failure:
        raise failure
    return said
