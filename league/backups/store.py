"""Where backups are kept: a folder of their own, a command that takes each, or both."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Final, NamedTuple

from django.conf import settings

from league.backups import archive
from league.backups.dump import contents
from league.backups.retention import kept

NAME: Final = "league-%Y-%m-%dT%H-%M-%SZ.backup"
OURS: Final = re.compile(r"league-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup")
UNFINISHED: Final = ".unfinished"
SPARE: Final = 10  # backups as large as the newest, for which there should be room: some weeks to do something about it
LEAST: Final = 2**30  # bytes


class CommandFailed(RuntimeError):
    """BACKUP_COMMAND ended with an error."""


def is_set_up() -> bool:
    """Return whether the settings say where backups go."""
    return bool(settings.BACKUP_FOLDER or settings.BACKUP_COMMAND)


def keep_new(now: datetime) -> str:
    """Make a backup, keep it where the settings say, and drop those that are too many; return its name and size."""
    with folder() as place:
        made = place / now.astimezone(UTC).strftime(NAME)
        write(made)
        if settings.BACKUP_COMMAND:
            hand_over(made)
        said = summary(made)
        _thin_out(place)
    return said


def write(target: Path) -> None:
    """Make a backup at `target`, which gets its name when it is whole and on the disk."""
    write_whole(target, partial(archive.write, contents(), key=settings.BACKUP_KEY))


def write_whole(target: Path, fill: Callable[[IO[bytes]], object]) -> None:
    """Write a file for its owner alone, all of it or nothing."""
    unfinished = target.with_name(f"{target.name}{UNFINISHED}")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            fill(out)
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(target)
        _sync(target.parent)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def hand_over(file: Path) -> None:
    """Give a file to BACKUP_COMMAND: what it reads is whole even if we end meanwhile. Raises CommandFailed."""
    with file.open("rb") as source:
        done = subprocess.run(  # noqa: S602  the installation's own setting, meant for a shell
            settings.BACKUP_COMMAND,
            shell=True,
            stdin=source,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "BACKUP_NAME": file.name},
            check=False,
        )
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines() or ["no word"]
        raise CommandFailed(f"BACKUP_COMMAND ended with status {done.returncode}: {words[-1]}")


class Stock(NamedTuple):
    """What lies in BACKUP_FOLDER: the names of all files, and of the newest backup; why it can't be read."""

    folder: str
    names: frozenset[str] = frozenset()
    newest: str = ""
    problem: str = ""


def stock() -> Stock | None:
    """Return what BACKUP_FOLDER holds, by one look at its names; None without it.

    Where a command alone takes backups away, nobody here can say whether they are still there.
    """
    if not settings.BACKUP_FOLDER:
        return None
    try:
        names = frozenset(path.name for path in Path(settings.BACKUP_FOLDER).iterdir())
    except OSError as error:
        return Stock(settings.BACKUP_FOLDER, problem=error.strerror or str(error))
    return Stock(settings.BACKUP_FOLDER, names, max((name for name in names if OURS.fullmatch(name)), default=""))


class Room(NamedTuple):
    """Bytes that are free where the backups lie, and how many there should be."""

    free: int
    wanted: int


def room(kept: Stock) -> Room | None:
    """Return how much is free on the folder's disk, None where it can't be read; it asks the system, not the files."""
    try:
        newest = (Path(kept.folder) / kept.newest).stat().st_size if kept.newest else 0
        return Room(shutil.disk_usage(kept.folder).free, max(LEAST, SPARE * newest))
    except OSError:
        return None


def newest(folder: Path) -> Path | None:
    """Return the youngest backup of a folder by its name."""
    return max(_files(folder).values(), default=None, key=lambda path: path.name)


def summary(made: Path) -> str:
    """Return what the light says of a backup."""
    return f"{made.name} ({made.stat().st_size:,} bytes)"


def name_in(summary: str) -> str:
    """Return the file's name that a summary begins with."""
    return summary.partition(" (")[0]


@contextmanager
def folder() -> Iterator[Path]:
    """BACKUP_FOLDER; where a command alone keeps backups, one that is gone with the block."""
    if settings.BACKUP_FOLDER:
        yield Path(settings.BACKUP_FOLDER)
        return
    passing = Path(mkdtemp(prefix="league-backup-"))
    try:
        yield passing
    finally:
        shutil.rmtree(passing)


def _thin_out(folder: Path) -> None:
    """Delete the backups of this folder that are too many, and what a killed one has left; nothing else."""
    files = _files(folder)
    for moment in files.keys() - kept(files):
        files[moment].unlink()
    for left in folder.glob(f"league-*{UNFINISHED}"):
        left.unlink(missing_ok=True)


def _files(folder: Path) -> dict[datetime, Path]:
    named = [path for path in folder.iterdir() if OURS.fullmatch(path.name)]
    return {datetime.strptime(path.name, NAME).replace(tzinfo=UTC): path for path in named}


def _sync(folder: Path) -> None:
    """Have the folder's names on the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
