"""Folders for the local servers, and the account that may use them.

PostgreSQL refuses to run as root. If this process is root, PostgreSQL runs as the owner of its folder or as `nobody`.
This account cannot enter a folder inside a closed folder such as /root. So `can_enter` first tries each folder as this
account.
"""

import fcntl
import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_FOLDER_PREFIX = "league-manager-"


@dataclass(frozen=True)
class Account:
    """A user account of the machine."""

    uid: int
    gid: int


def server_account(folder: Path | None = None) -> Account | None:
    """Return the account that runs PostgreSQL with its files in `folder`.

    None is the current account. If this process is root, it is the folder's owner or `nobody`.
    """
    if os.geteuid() != 0:
        return None
    if folder and folder.exists() and (owner := folder.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_uid, entry.pw_gid)


def can_enter(folder: Path, account: Account | None) -> bool:
    """Return whether a process of this account can enter the folder. A process is started to try it."""
    if account is None:
        return True
    process = subprocess.run(
        ["/bin/sh", "-c", 'cd -- "$0"', folder],  # not cwd=, which would be entered as root
        cwd="/",
        stderr=subprocess.DEVNULL,
        user=account.uid,
        group=account.gid,
        extra_groups=[],
    )
    return process.returncode == 0


def create_folder_for(folder: Path, account: Account | None) -> Path:
    """Create the folder if it is missing, and return it. Only this account can enter it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if account:
        os.chown(folder, account.uid, account.gid)
    return folder


def database_folder(var: Path, *, fallback: Path = Path("/var/lib")) -> Path:
    """Return the folder of the database: `var`, or a folder in `fallback` if PostgreSQL's account cannot enter
    `var`.
    """
    if can_enter(var, server_account(var / "postgres")):
        return var
    folder = fallback / f"{_FOLDER_PREFIX}{hashlib.sha256(os.fsencode(var.resolve())).hexdigest()[:12]}"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o711)
    return folder


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a temporary folder that all accounts can enter. Its path is short, because a socket's path has at most 103
    bytes.

    Also remove temporary folders of earlier processes that were killed: their lock files are no longer locked.
    """
    parent = next(folder for folder in _temporary_parents() if can_enter(folder, server_account()))
    for lock_file in parent.glob(f"{_FOLDER_PREFIX}*/lock"):
        _remove_unlocked(lock_file)
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX, dir=parent))
    folder.chmod(0o711)
    with (folder / "unlocked").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Path(lock.name).rename(folder / "lock")  # from now on `_remove_unlocked` finds it
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _temporary_parents() -> list[Path]:
    """Return folders for temporary files: first the user's own, unless the path of a socket in it would be too long."""
    default = Path(tempfile.gettempdir())
    return [*([default] if len(os.fsencode(default)) < 60 else []), Path("/tmp"), Path("/var/tmp")]


def _remove_unlocked(lock: Path) -> None:
    """Remove the folder of this lock file, unless it is in use or belongs to another user."""
    try:
        with lock.open("r+") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
    except OSError:
        return
