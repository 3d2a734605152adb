from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from time import time
from typing import IO, Final, NamedTuple, TypeVar

from django.conf import settings

from league.operations.work.backups import archive
from league.operations.work.backups.dump import backup_contents

BACKUP_NAME_FORMAT: Final = "league-%Y-%m-%dT%H-%M-%SZ.backup"
BACKUP_NAME_PATTERN: Final = re.compile(r"league-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup")
UNFINISHED_SUFFIX: Final = ".unfinished"
RECOMMENDED_BACKUP_COUNT: Final = 10  # free space is recommended for so many backups of the newest one's size
MIN_RECOMMENDED_SPACE: Final = 2**30  # bytes
MIN_REQUIRED_SPACE: Final = 2**27  # bytes
ABANDONED_AFTER: Final = 3600.0  # seconds since the last write of an unfinished file
READ_TIME_LIMIT: Final = 1.0  # seconds to read the folder
# How many backups are stored: the newest of each of the last 7 days, 8 weeks and 24 months that have a backup. Periods
# without backups do not count, so that no backup is deleted because of a pause.
RETENTION_PERIODS: Final[tuple[tuple[int, Callable[[datetime], tuple[int, ...]]], ...]] = (
    (7, lambda moment: (moment.year, moment.month, moment.day)),
    (8, lambda moment: tuple(moment.isocalendar()[:2])),
    (24, lambda moment: (moment.year, moment.month)),
)

T = TypeVar("T")


class BackupCommandFailed(RuntimeError):
    """The shell command BACKUP_COMMAND ended with an error. The message is for the admin."""


def backups_are_configured() -> bool:
    return bool(settings.BACKUP_FOLDER or settings.BACKUP_COMMAND)


def create_backup(now: datetime) -> str:
    """Write a backup into BACKUP_FOLDER, run BACKUP_COMMAND, and delete old backups. Return a summary of the backup."""
    with backup_folder() as folder_path:
        path = folder_path / now.astimezone(UTC).strftime(BACKUP_NAME_FORMAT)
        write_backup(path)
        if settings.BACKUP_COMMAND:
            run_backup_command(path)
        backup_summary = summarize_backup(path)
        _delete_old_backups(folder_path)
    return backup_summary


def write_backup(target: Path) -> None:
    """Write a backup to the file `target`. The file gets its name only when it is complete and on the disk."""
    write_atomically(target, partial(archive.write_archive, backup_contents(), key=settings.BACKUP_KEY))


def write_atomically(target: Path, fill: Callable[[IO[bytes]], object]) -> None:
    """Write a file completely or not at all. `fill` writes the content. Only the owner can read the file."""
    unfinished = target.with_name(f"{target.name}{UNFINISHED_SUFFIX}")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            fill(out)
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(target)
        _sync_folder(target.parent)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def run_backup_command(file: Path) -> None:
    """Run the shell command BACKUP_COMMAND with the file as its standard input. Raise BackupCommandFailed."""
    with file.open("rb") as source:
        process = subprocess.run(  # noqa: S602  the installation's own setting, meant for a shell
            settings.BACKUP_COMMAND,
            shell=True,
            stdin=source,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "BACKUP_NAME": file.name},
            check=False,
        )
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines() or ["no word"]
        raise BackupCommandFailed(f"BACKUP_COMMAND ended with status {process.returncode}: {lines[-1]}")


class DiskSpace(NamedTuple):
    """Free bytes on the disk of a folder, and the numbers of free bytes that are recommended and required."""

    folder: str
    free: int
    recommended: int
    required: int


class FolderState(NamedTuple):
    """The state of BACKUP_FOLDER: the names of its files, the name of its newest backup or "", and problems."""

    folder: str
    names: frozenset[str] = frozenset()
    newest: str = ""
    problem: str = ""  # the reason why the folder cannot be read
    read_only: bool = False
    space: DiskSpace | None = None


def folder_state() -> FolderState | None:
    """Return the state of BACKUP_FOLDER, or None if it is not set.

    If a network disk does not answer within a second, this is the `problem`.
    """
    if not settings.BACKUP_FOLDER:
        return None
    hangs = FolderState(settings.BACKUP_FOLDER, problem="it does not answer")
    return _with_time_limit(READ_TIME_LIMIT, partial(_folder_state, settings.BACKUP_FOLDER), hangs)


def _folder_state(folder: str) -> FolderState:
    try:
        names = frozenset(path.name for path in Path(folder).iterdir())
        newest = max((name for name in names if BACKUP_NAME_PATTERN.fullmatch(name)), default="")
        size = (Path(folder) / newest).stat().st_size if newest else 0
        space = disk_space(folder, newest=size)
    except OSError as error:
        return FolderState(folder, problem=error.strerror or str(error))
    read_only = not os.access(folder, os.W_OK | os.X_OK, effective_ids=True)
    return FolderState(folder, names, newest, read_only=read_only, space=space)


def disk_space(folder: str, *, newest: int = 0) -> DiskSpace:
    return DiskSpace(
        folder,
        shutil.disk_usage(folder).free,
        max(MIN_RECOMMENDED_SPACE, RECOMMENDED_BACKUP_COUNT * newest),
        max(MIN_REQUIRED_SPACE, newest),
    )


_read_lock = Lock()


def _with_time_limit(seconds: float, read: Callable[[], T], default: T) -> T:
    """Call `read` in a thread and return its result, or `default` if it takes longer than `seconds`.

    Only one thread reads at a time, so at most one thread hangs.
    """
    if not _read_lock.acquire(timeout=seconds):
        return default
    results: list[T] = []

    def run() -> None:
        try:
            results.append(read())
        finally:
            _read_lock.release()

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    return results[0] if results else default


def newest_backup(folder: Path) -> Path | None:
    return max(_backup_files(folder).values(), default=None, key=lambda path: path.name)


def summarize_backup(backup: Path) -> str:
    return f"{backup.name} ({backup.stat().st_size:,} bytes)"


def name_in_summary(backup_summary: str) -> str:
    return backup_summary.partition(" (")[0]


@contextmanager
def backup_folder() -> Iterator[Path]:
    """Yield BACKUP_FOLDER; if it is not set, yield a temporary folder, which is deleted at the end of the block."""
    if settings.BACKUP_FOLDER:
        yield Path(settings.BACKUP_FOLDER)
        return
    with TemporaryDirectory(prefix="league-backup-") as temporary:
        yield Path(temporary)


def _delete_old_backups(folder: Path) -> None:
    files = _backup_files(folder)
    for moment in files.keys() - times_to_keep(files):
        files[moment].unlink()
    for unfinished in folder.glob(f"league-*{UNFINISHED_SUFFIX}"):
        with suppress(FileNotFoundError):
            if time() - unfinished.stat().st_mtime > ABANDONED_AFTER:  # else another process may be writing it
                unfinished.unlink()


def times_to_keep(moments: Iterable[datetime]) -> set[datetime]:
    newest_first = sorted(moments, reverse=True)
    moments_kept: set[datetime] = set()
    for number, period in RETENTION_PERIODS:
        newest = {period(moment): moment for moment in reversed(newest_first)}
        moments_kept |= {newest[key] for key in sorted(newest, reverse=True)[:number]}
    return moments_kept


def names_by_time(names: Iterable[str]) -> dict[datetime, str]:
    """Return the file names that are names of backups, by the time in the name. Other names are left out."""
    backup_names = [name for name in names if BACKUP_NAME_PATTERN.fullmatch(name)]
    return {datetime.strptime(name, BACKUP_NAME_FORMAT).replace(tzinfo=UTC): name for name in backup_names}


def _backup_files(folder: Path) -> dict[datetime, Path]:
    return {moment: folder / name for moment, name in names_by_time(path.name for path in folder.iterdir()).items()}


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
