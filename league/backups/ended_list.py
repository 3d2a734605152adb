"""The list of what was erased, revoked or ended, ids alone: kept beside the backups, read when one is restored."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.db import Error, connection

from league.actions import endings
from league.actions.endings import ListedEnding
from league.backups import archive, store
from league.backups.archive import UnreadableArchive
from league.models import Ending

NAME: Final = "league-ended.list"  # a format as a backup's: compressed, encrypted by a key


class EndedList(NamedTuple):
    """What ended, and where that was found."""

    ended: list[ListedEnding]
    found: list[str]


def keep() -> None:
    """Write the whole list where backups go."""
    with store.folder() as folder:
        endings.keep(partial(_write, folder / NAME))


def what_ended(backup: Path) -> EndedList:
    """Return what ended by the lists beside the backup and in BACKUP_FOLDER, and by the database as it is now.

    Where they differ about something, the database has the last word, then the list that was changed last.
    """
    folders = [backup.resolve().parent, *([Path(settings.BACKUP_FOLDER).resolve()] if settings.BACKUP_FOLDER else [])]
    paths = [path for folder in dict.fromkeys(folders) if (path := folder / NAME).is_file()]
    lists = {str(path): _read(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime)}
    if own := _own():
        lists["the database"] = own
    last = {ended.about: ended for each in lists.values() for ended in each}
    return EndedList(list(last.values()), list(lists))


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
