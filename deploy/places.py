"""Folders for the local servers, and the account that may use them.

PostgreSQL refuses to run as root: then it runs as the owner of its folder or as `nobody`, who can't enter a folder
below a closed one such as /root. So the places here are tried, as that account, before they are chosen.
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

_PREFIX = "league-manager-"


@dataclass(frozen=True)
class Account:
    """A user of the machine, by his numbers."""

    uid: int
    gid: int


def server_account(folder: Path | None = None) -> Account | None:
    """Return who runs PostgreSQL with its files in `folder`.

    None is ourselves; for root the folder's owner, or `nobody`.
    """
    if os.geteuid() != 0:
        return None
    if folder and folder.exists() and (found := folder.stat()).st_uid != 0:
        return Account(found.st_uid, found.st_gid)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)


def can_enter(folder: Path, account: Account | None) -> bool:
    """Return whether a process of this account can work in the folder, tried by one that does."""
    if account is None:
        return True
    tried = subprocess.run(
        ["/bin/sh", "-c", 'cd -- "$0"', folder],  # not cwd=, which would be entered as root
        cwd="/",
        stderr=subprocess.DEVNULL,
        user=account.uid,
        group=account.gid,
        extra_groups=[],
    )
    return tried.returncode == 0


def give(folder: Path, account: Account | None) -> Path:
    """Make the folder if it is missing, closed to everyone but this account."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if account:
        os.chown(folder, account.uid, account.gid)
    return folder


def lasting(var: Path, *, elsewhere: Path = Path("/var/lib")) -> Path:
    """Return where the database of this `var` folder lives.

    There, or in a one of `elsewhere` if `nobody` can't get there.
    """
    if can_enter(var, server_account(var / "postgres")):
        return var
    place = elsewhere / f"{_PREFIX}{hashlib.sha256(os.fsencode(var.resolve())).hexdigest()[:12]}"
    place.mkdir(exist_ok=True)
    place.chmod(0o711)
    return place


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a temporary folder with a short path (a socket's has at most 103 bytes) that every account can pass through.

    A process killed hard leaves its folder behind: whose lock is free is swept away here.
    """
    parent = next(place for place in _temporary() if can_enter(place, server_account()))
    for left in parent.glob(f"{_PREFIX}*/lock"):
        _sweep(left)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    folder.chmod(0o711)
    with (folder / "unlocked").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Path(lock.name).rename(folder / "lock")  # only now can a sweep see it
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _temporary() -> list[Path]:
    """Return temporary folders, the user's choice first unless a socket's path would be too long in it."""
    chosen = Path(tempfile.gettempdir())
    return [*([chosen] if len(os.fsencode(chosen)) < 60 else []), Path("/tmp"), Path("/var/tmp")]


def _sweep(lock: Path) -> None:
    """Remove the folder of this lock unless it is in use, or someone else's."""
    try:
        with lock.open("r+") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
    except OSError:
        return
