"""The list of what was erased, revoked or ended, ids alone: kept beside the backups, read when one is restored."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import Error, connection

from league.actions import endings
from league.actions.endings import ListedEnding
from league.backups import archive, store
from league.backups.archive import UnreadableArchive
from league.models import Ending
from league.models.ending import EndingKind

NAME: Final = "league-ended.list"  # a format as a backup's: compressed, encrypted by a key
STRANGE: Final = "league-ended-{}.list"  # another installation's, which lay where ours was to be


def keep() -> None:
    """Write the whole list where backups go."""
    with store.folder() as folder:
        _put_aside(folder / NAME)
        endings.keep(partial(_write, folder / NAME))


def what_ended(backup: Path) -> dict[str, list[ListedEnding]]:
    """Return what ended by the lists beside the backup and in BACKUP_FOLDER, and by the database as it is now.

    By where each was found; the one that was changed last is the last, and the database after all.
    """
    folders = [backup.resolve().parent, *([Path(settings.BACKUP_FOLDER).resolve()] if settings.BACKUP_FOLDER else [])]
    paths = [
        path for folder in dict.fromkeys(folders) for name in (NAME, STRANGE.format("*")) for path in folder.glob(name)
    ]
    lists = {str(path): _read(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime)}
    if own := _own():
        lists["the database"] = own
    return lists


def last_words(lists: Iterable[Iterable[ListedEnding]]) -> list[ListedEnding]:
    """Return one ending of each subject: where lists differ about it, that of the last."""
    return list({ended.about: ended for each in lists for ended in each}.values())


def _put_aside(path: Path) -> None:
    """Leave the list of another installation, carried here for a restore, where a restore finds it."""
    try:
        there = _read(path) if path.is_file() else []
    except UnreadableArchive:  # of an older key, or none at all: what ended is written anew whole
        return
    if not endings.is_ours(there):
        [origin] = [ended.id for ended in there if ended.kind == EndingKind.ORIGIN]
        path.rename(path.with_name(STRANGE.format(origin)))


def _own() -> list[ListedEnding]:
    """Return what ended by the project's database; nothing where it has no such table, or is away."""
    try:
        return endings.listed() if Ending._meta.db_table in connection.introspection.table_names() else []
    except Error:
        return []


def _write(path: Path, ended: Iterable[ListedEnding]) -> None:
    lines = (json.dumps(each._asdict()).encode() + b"\n" for each in ended)
    store.write_whole(path, partial(archive.write, lines, key=settings.BACKUP_KEY))
    if settings.BACKUP_COMMAND:
        store.hand_over(path)


def _read(path: Path) -> list[ListedEnding]:
    text = bytearray()
    archive.unpack(path, settings.BACKUP_KEY, text.extend)
    try:
        return [ListedEnding(**json.loads(line)) for line in text.splitlines()]
    except (ValueError, TypeError):
        raise UnreadableArchive(f"{path} is no list of what ended, or one of a newer version.") from None
