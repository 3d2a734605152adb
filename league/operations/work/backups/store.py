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
from threading import Lock, Thread
from typing import IO, Final, NamedTuple, TypeVar

from django.conf import settings

from league.operations.work.backups import archive
from league.operations.work.backups.dump import contents
from league.operations.work.backups.retention import kept

NAME: Final = "league-%Y-%m-%dT%H-%M-%SZ.backup"
OURS: Final = re.compile(r"league-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup")
UNFINISHED: Final = ".unfinished"
SPARE: Final = 10  # backups as large as the newest, for which there should be room: some weeks to do something about it
LEAST: Final = 2**30  # bytes
EMERGENCY: Final = 2**27  # bytes
WAIT: Final = 1.0  # seconds for the folder to be read

T = TypeVar("T")


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


class Room(NamedTuple):
    """Bytes that are free on the disk of a folder, how many there should be, and how few are an emergency."""

    folder: str
    free: int
    wanted: int
    needed: int


class Stock(NamedTuple):
    """What lies in BACKUP_FOLDER: the names of all files, and of the newest backup; why it can't be used."""

    folder: str
    names: frozenset[str] = frozenset()
    newest: str = ""
    problem: str = ""  # it can't be read
    closed: bool = False  # it can be read, and this process may not write there
    room: Room | None = None


def stock() -> Stock | None:
    """Return what BACKUP_FOLDER holds, by one look at its names; None without it.

    Where a command alone takes backups away, nobody here can say whether they are still there. A network disk that is
    away may never answer: then that is the problem, after a second.
    """
    if not settings.BACKUP_FOLDER:
        return None
    hangs = Stock(settings.BACKUP_FOLDER, problem="it does not answer")
    return _within(WAIT, partial(_stock, settings.BACKUP_FOLDER), hangs)


def _stock(folder: str) -> Stock:
    try:
        names = frozenset(path.name for path in Path(folder).iterdir())
        newest = max((name for name in names if OURS.fullmatch(name)), default="")
        size = (Path(folder) / newest).stat().st_size if newest else 0
        room = disk_room(folder, newest=size)
    except OSError as error:
        return Stock(folder, problem=error.strerror or str(error))
    closed = not os.access(folder, os.W_OK | os.X_OK, effective_ids=True)
    return Stock(folder, names, newest, closed=closed, room=room)


def disk_room(folder: str, *, newest: int = 0) -> Room:
    """Return how much is free on the folder's disk; `newest` is the size of the newest backup there."""
    return Room(folder, shutil.disk_usage(folder).free, max(LEAST, SPARE * newest), max(EMERGENCY, newest))


_looking = Lock()


def _within(seconds: float, look: Callable[[], T], otherwise: T) -> T:
    """Return what `look` returns, or `otherwise` if it takes longer; one look at a time, so that one thread hangs."""
    if not _looking.acquire(timeout=seconds):
        return otherwise
    found: list[T] = []

    def run() -> None:
        try:
            found.append(look())
        finally:
            _looking.release()

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else otherwise


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
