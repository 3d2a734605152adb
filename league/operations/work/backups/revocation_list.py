"""The revocation list (ids only): stored beside the backups, read when a backup is restored.

The list ends roles, logins and clubs, so its origin must be proven: it is signed with SECRET_KEY, and encrypted if
BACKUP_KEY is set. Otherwise any user with write access to the folder could revoke anything.
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

from league.actions import revocations
from league.actions.revocations import RevocationRow
from league.models import Revocation
from league.models.revocation import RevocationKind
from league.operations.work.backups import archive, store
from league.operations.work.backups.archive import UnreadableArchive

SALT: Final = "league.backups.ended_list"  # of stored lists: must not change
NAME: Final = "league-ended.list"  # compressed and encrypted as a backup is
FOREIGN: Final = "league-ended-{}.list"  # list of another installation, renamed


def store_list() -> None:
    with store.folder() as folder:
        _set_aside_foreign_list(folder / NAME)
        revocations.store(partial(_write, folder / NAME))


def read_lists(backup: Path) -> tuple[dict[str, list[RevocationRow]], list[str]]:
    """Return the revocation lists that our keys signed or encrypted, by path, and the paths of all other lists.

    Lists are looked for beside the backup and in BACKUP_FOLDER. They are sorted from old to new; the revocations of the
    present database come last.
    """
    folders = [backup.resolve().parent, *([Path(settings.BACKUP_FOLDER).resolve()] if settings.BACKUP_FOLDER else [])]
    paths = [
        path for folder in dict.fromkeys(folders) for name in (NAME, FOREIGN.format("*")) for path in folder.glob(name)
    ]
    by_path = {str(path): _read(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime)}
    lists = {path: stored.revocations for path, stored in by_path.items() if stored.proven}
    if own_revocations := _own_revocations():
        lists["the database"] = own_revocations
    return lists, sorted(by_path.keys() - lists.keys())


def newest_of_each(lists: Iterable[Iterable[RevocationRow]]) -> list[RevocationRow]:
    return list({row.key: row for rows in lists for row in rows}.values())


def _set_aside_foreign_list(path: Path) -> None:
    """Rename the stored list if another installation wrote it, instead of overwriting it.

    A restore of that installation's backup looks for the renamed file, too.
    """
    try:
        stored = _read(path) if path.is_file() else None
    except UnreadableArchive:  # of an older key, or damaged: the whole list is written again
        return
    if stored and stored.origin and not revocations.is_from_this_installation(stored.revocations):
        path.rename(path.with_name(FOREIGN.format(stored.origin)))


def _own_revocations() -> list[RevocationRow]:
    try:
        return (
            revocations.all_revocations() if Revocation._meta.db_table in connection.introspection.table_names() else []
        )
    except Error:
        return []


class _List(NamedTuple):
    """The revocations of a file, the id of its installation, and whether this origin is proven."""

    revocations: list[RevocationRow]
    origin: str
    proven: bool


def _signer() -> Signer:
    return Signer(salt=SALT)


def _write(path: Path, rows: Iterable[RevocationRow]) -> None:
    text = "\n".join(json.dumps(row._asdict()) for row in rows)
    contents = [_signer().sign(text).encode()]
    store.write_whole(path, partial(archive.write_archive, contents, key=settings.BACKUP_KEY))
    if settings.BACKUP_COMMAND:
        store.run_backup_command(path)


def _read(path: Path) -> _List:
    """The origin is proven if BACKUP_KEY decrypts the file or SECRET_KEY signed it. Raise UnreadableArchive.

    Also raised for invalid values, since values become file names and row ids.
    """
    packed = bytearray()
    archive.decrypt_archive(path, settings.BACKUP_KEY, packed.extend)
    try:
        signed = packed.decode()
        text = signed.rpartition(Signer().sep)[0]
        with suppress(BadSignature):
            text = _signer().unsign(signed)
            return _checked(text, proven=True)
        return _checked(text, proven=bool(settings.BACKUP_KEY))  # it was encrypted with this key
    except (ValueError, TypeError, KeyError):
        raise UnreadableArchive(f"{path} is no list of what ended, or one of a newer version.") from None


def _checked(text: str, *, proven: bool) -> _List:
    rows = [RevocationRow(**json.loads(line)) for line in text.splitlines()]
    for row in rows:
        if str(UUID(row.id)) != row.id or not isinstance(row.remains, str):
            raise ValueError(row.id)
        if not all(type(number) is int and 0 <= number < 2**63 for number in (row.subject, row.club)):
            raise ValueError(row.subject)
        datetime.fromisoformat(row.ended_at)
        RevocationKind(row.kind)
    origins = [row.id for row in rows if row.kind == RevocationKind.ORIGIN]
    if len(origins) > 1:
        raise ValueError(origins)
    return _List(rows, next(iter(origins), ""), proven)
