from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

import psycopg
import structlog
from django.db import Error

from league.models.check import CheckKind
from league.operations.work.backups.archive import UnreadableArchive
from league.operations.work.backups.copies import CopyFailed
from league.operations.work.backups.drill import DrillFailed
from league.operations.work.backups.postgres_tools import AlreadyRunning, ToolFailed
from league.operations.work.backups.restoration import NewerBackup, OlderBackup
from league.operations.work.backups.side_database import SideDatabaseFailed
from league.operations.work.backups.store import BackupCommandFailed
from league.operations.work.check_records import record_check

__all__ = ["EXPECTED_EXCEPTIONS", "AlreadyRunning", "run_and_record_check"]

log = structlog.get_logger(__name__)

# Expected exceptions of backups, copies, drills and restores. Each has a message for the admin.
EXPECTED_EXCEPTIONS: Final = (
    *(OSError, Error, psycopg.Error, ToolFailed, BackupCommandFailed, UnreadableArchive),
    *(SideDatabaseFailed, NewerBackup, OlderBackup, DrillFailed, CopyFailed),
)


def run_and_record_check(
    kind: CheckKind, work: Callable[[], str], now: Callable[[], datetime], warn: Callable[[str], object] = log.warning
) -> str:
    """Call `work`, which returns a summary; store the summary as a successful Check of this kind, and return it.

    An exception in EXPECTED_EXCEPTIONS is stored as a failed Check, and raised again. AlreadyRunning is not stored. If
    the Check cannot be stored, since the database is unreachable or not migrated, `warn` is called with a message.
    """
    failure = None
    try:
        summary = work()
    except EXPECTED_EXCEPTIONS as error:
        failure, summary = error, str(error).strip()
    try:
        record_check(kind, now=now(), ok=failure is None, summary=summary)
    except Error as error:
        warn(f"That a {kind} was made or failed could not be noted: {error}")
    if failure:
        raise failure
    return summary
