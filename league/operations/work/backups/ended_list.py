"""The list of what was erased, revoked or ended, ids alone: kept beside the backups, read when one is restored.

A list ends roles, logins and clubs, so it counts only if this installation wrote it: it is signed by SECRET_KEY, and
encrypted where there is a BACKUP_KEY. Whoever may write into the folder could else end anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import Error, connection

from league.actions import endings
from league.actions.endings import ListedEnding
from league.models import Ending
from league.models.ending import EndingKind
from league.operations.work.backups import archive, store
from league.operations.work.backups.archive import UnreadableArchive

NAME: Final = "league-ended.list"  # a format as a backup's: compressed, encrypted by a key
STRANGE: Final = "league-ended-{}.list"  # another installation's, which lay where ours was to be


def keep() -> None:
    """Write the whole list where backups go."""
    with store.folder() as folder:
        _put_aside(folder / NAME)
        endings.keep(partial(_write, folder / NAME))


def what_ended(backup: Path) -> tuple[dict[str, list[ListedEnding]], list[str]]:
    """Return what ended by the lists beside the backup and in BACKUP_FOLDER, and by the database as it is now.

    By where each was found; the one that was changed last is the last, and the database after all.

    Lists whose origin nothing proves are returned by themselves: by the second value, their places alone.
    """
    folders = [backup.resolve().parent, *([Path(settings.BACKUP_FOLDER).resolve()] if settings.BACKUP_FOLDER else [])]
    paths = [
        path for folder in dict.fromkeys(folders) for name in (NAME, STRANGE.format("*")) for path in folder.glob(name)
    ]
    read = {str(path): _read(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime)}
    lists = {place: found.endings for place, found in read.items() if found.proven}
    if own := _own():
        lists["the database"] = own
    return lists, sorted(read.keys() - lists.keys())


def last_words(lists: Iterable[Iterable[ListedEnding]]) -> list[ListedEnding]:
    """Return one ending of each subject: where lists differ about it, that of the last."""
    return list({ended.key: ended for each in lists for ended in each}.values())


def _put_aside(path: Path) -> None:
    """Leave the list of another installation, carried here for a restore, where a restore finds it."""
    try:
        there = _read(path) if path.is_file() else None
    except UnreadableArchive:  # of an older key, or none at all: what ended is written anew whole
        return
    if there and there.origin and not endings.is_ours(there.endings):
        path.rename(path.with_name(STRANGE.format(there.origin)))


def _own() -> list[ListedEnding]:
    """Return what ended by the project's database; nothing where it has no such table, or is away."""
    try:
        return endings.all_endings() if Ending._meta.db_table in connection.introspection.table_names() else []
    except Error:
        return []


class _List(NamedTuple):
    """What a file lists, of which installation it says that it is, and whether that is proven."""

    endings: list[ListedEnding]
    origin: str
    proven: bool


def _signer() -> Signer:
    """Sign by SECRET_KEY, and read what the keys in SECRET_KEY_FALLBACKS signed."""
    return Signer(salt="league.operations.work.backups.ended_list")


def _write(path: Path, ended: Iterable[ListedEnding]) -> None:
    text = "\n".join(json.dumps(each._asdict()) for each in ended)
    contents = [_signer().sign(text).encode()]
    store.write_whole(path, partial(archive.write, contents, key=settings.BACKUP_KEY))
    if settings.BACKUP_COMMAND:
        store.hand_over(path)


def _read(path: Path) -> _List:
    """Return what a file lists. It comes from here if BACKUP_KEY encrypted it, or SECRET_KEY signed it.

    Raises UnreadableArchive, also for values that no list of ours has: they become names of files and rows.
    """
    packed = bytearray()
    archive.unpack(path, settings.BACKUP_KEY, packed.extend)
    try:
        signed = packed.decode()
        text = signed.rpartition(Signer().sep)[0]
        with suppress(BadSignature):
            text = _signer().unsign(signed)
            return _checked(text, proven=True)
        return _checked(text, proven=bool(settings.BACKUP_KEY))  # without its key it would not have been opened
    except (ValueError, TypeError, KeyError):
        raise UnreadableArchive(f"{path} is no list of what ended, or one of a newer version.") from None


def _checked(text: str, *, proven: bool) -> _List:
    """Return the endings of a list. Raises ValueError or TypeError for what no ending can be."""
    found = [ListedEnding(**json.loads(line)) for line in text.splitlines()]
    for ended in found:
        if str(UUID(ended.id)) != ended.id or not isinstance(ended.remains, str):
            raise ValueError(ended.id)
        if not all(type(number) is int and 0 <= number < 2**63 for number in (ended.subject, ended.club)):
            raise ValueError(ended.subject)
        datetime.fromisoformat(ended.ended_at)
        EndingKind(ended.kind)
    origins = [ended.id for ended in found if ended.kind == EndingKind.ORIGIN]
    if len(origins) > 1:
        raise ValueError(origins)
    return _List(found, next(iter(origins), ""), proven)
