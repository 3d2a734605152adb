"""Copies of backups on another server, by S3, SFTP or another protocol of rclone.

A file is uploaded into the folder `unfinished`, read back, compared, and then moved to its name. So a copy with the
name of a backup is always complete, also after an upload was killed (docs/decisions/0042).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from django.conf import settings

from deploy.child import preexec_to_die_with_parent
from league.operations.work.backups import store
from league.operations.work.backups.archive import CHUNK_SIZE
from league.operations.work.backups.dump import fetch_value
from league.operations.work.backups.postgres_tools import AlreadyRunning, connect
from league.operations.work.backups.revocation_list import REVOCATION_FILE_NAME

COPY_LOCK_ID: Final = 0x6C656167_636F7079  # id of the advisory lock of a running copy
UPLOAD_FOLDER: Final = "unfinished"  # folder of uploads on the other server
DOWNLOAD_FOLDER: Final = "fetched"  # folder of downloads, in BACKUP_FOLDER
# An upload may take hours, but a connection without data for a minute is closed. rclone tries only once, since the job
# is repeated.
RCLONE_OPTIONS: Final = (
    *("--quiet", "--log-format="),
    *("--contimeout=15s", "--timeout=60s", "--retries=1", "--low-level-retries=3"),
)
FOLDER_NOT_FOUND_STATUS: Final = 3  # rclone's exit status


class CopyFailed(RuntimeError):
    """A backup could not be copied, or a copy could not be fetched. The message is for the admin."""


class _RcloneFailed(CopyFailed):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"rclone: {message}")
        self.status = status


def copy_newest_backup() -> str:
    """Copy the newest backup and the revocation list to the other server, and delete old copies there.

    Return a summary of the backup. A backup that is on that server already is not copied again. Raise CopyFailed, or
    AlreadyRunning if another process copies.
    """
    folder = Path(settings.BACKUP_FOLDER)
    newest = store.newest_backup(folder)
    if newest is None:
        raise CopyFailed(f"There is no backup in {folder}.")
    with _copy_lock():
        if newest.name not in names_of_copies():
            _upload(newest)
        _delete_old_copies()
        if (folder / REVOCATION_FILE_NAME).is_file():
            _upload(folder / REVOCATION_FILE_NAME)
    return store.summarize_backup(newest)


def names_of_copies() -> list[str]:
    """Return the names of all complete copies, the oldest first."""
    return sorted(name for name in _file_names() if store.BACKUP_NAME_PATTERN.fullmatch(name))


def fetch_backup(name: str = "") -> Path:
    """Download the backup `name`, or the newest one, from the other server; return its path.

    The revocation list (the roles, tokens and links that must not come back with a restore) is downloaded, too. Both
    files are stored in a subfolder of BACKUP_FOLDER, since BACKUP_FOLDER may have a newer list. Raise CopyFailed.
    """
    names = _file_names()
    source = name or max((copy for copy in names if store.BACKUP_NAME_PATTERN.fullmatch(copy)), default="")
    if source not in names:
        raise CopyFailed(f"There is no copy {name} in {settings.BACKUP_COPY_TO}.".replace("  ", " "))
    folder = Path(settings.BACKUP_FOLDER) / DOWNLOAD_FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    for file in (source, *({REVOCATION_FILE_NAME} & set(names))):
        store.write_atomically(folder / file, partial(_download, file))
    return folder / source


def rclone_path() -> str:
    """Return the path of the program rclone. Raise CopyFailed if it is not installed."""
    folders = [os.environ.get("PATH", ""), str(Path(sys.executable).parent)]
    path = shutil.which("rclone", path=os.pathsep.join(folders))
    if path is None:
        raise CopyFailed("rclone is not on this machine. Install its package.")
    return path


def configured_remotes() -> list[str]:
    """Return the names of the servers in the file BACKUP_COPY_CONFIG. No server is contacted."""
    return [line.rstrip(":") for line in _rclone_output("listremotes").split()]


def _upload(file: Path) -> None:
    uploaded = f"{UPLOAD_FOLDER}/{file.name}"
    _rclone_output("copyto", str(file), _remote_address(uploaded))
    copy_sum, file_sum = hashlib.sha256(), hashlib.sha256()
    _read_copy(uploaded, copy_sum.update)
    with file.open("rb") as source:
        while chunk := source.read(CHUNK_SIZE):
            file_sum.update(chunk)
    if copy_sum.digest() != file_sum.digest():
        raise CopyFailed(f"The copy of {file.name} differs from the file.")
    _rclone_output("moveto", _remote_address(uploaded), _remote_address(file.name))


def _delete_old_copies() -> None:
    times = store.names_by_time(names_of_copies())
    for moment in times.keys() - store.times_to_keep(times):
        _rclone_output("deletefile", _remote_address(times[moment]))
    for unfinished in _file_names(UPLOAD_FOLDER):
        _rclone_output("deletefile", _remote_address(f"{UPLOAD_FOLDER}/{unfinished}"))


def _file_names(folder: str = "") -> list[str]:
    try:
        return _rclone_output("lsf", "--files-only", _remote_address(folder)).splitlines()
    except _RcloneFailed as error:
        if error.status == FOLDER_NOT_FOUND_STATUS:
            return []
        raise


def _read_copy(name: str, write: Callable[[bytes], object]) -> None:
    with _run_rclone("cat", _remote_address(name)) as output:
        while chunk := output.read(CHUNK_SIZE):
            write(chunk)


def _download(name: str, out: IO[bytes]) -> None:
    _read_copy(name, out.write)


def _remote_address(name: str) -> str:
    return f"{settings.BACKUP_COPY_TO.rstrip('/')}/{name}"


def _rclone_output(*arguments: str) -> str:
    with _run_rclone(*arguments) as output:
        return output.read().decode(errors="replace")


@contextmanager
def _run_rclone(*arguments: str) -> Iterator[IO[bytes]]:
    """Run rclone and yield its output. Raise CopyFailed with the last line of its errors.

    If this process ends, rclone ends too.
    """
    with TemporaryFile() as error_file:
        process = subprocess.Popen(  # noqa: S603  rclone with arguments of ours
            [rclone_path(), f"--config={settings.BACKUP_COPY_CONFIG}", *RCLONE_OPTIONS, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=error_file,
            preexec_fn=preexec_to_die_with_parent(),
        )
        try:
            with process:
                assert process.stdout
                yield process.stdout
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.returncode:
            error_file.seek(0)
            lines = error_file.read().decode(errors="replace").strip().splitlines() or ["ended without a word"]
            raise _RcloneFailed(process.returncode, lines[-1].strip())


@contextmanager
def _copy_lock() -> Iterator[None]:
    with connect() as database:
        if not fetch_value(database, "SELECT pg_try_advisory_lock(%s)", COPY_LOCK_ID):
            raise AlreadyRunning("Another copy is being made.")
        yield
