"""The file of the revocation list: deleted people, logins, clubs and rights that a restore must not bring back.

The file has ids only. It is stored beside the backups, and read when a backup is restored. It is signed with
SECRET_KEY, and encrypted if BACKUP_KEY is set, since any user with write access to the folder could write such a file.
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

SIGNING_SALT: Final = "league.backups.ended_list"  # must not change, since existing files are signed with it
# "ended" is an old word for "revoked"; existing files have it in their names. They are compressed and encrypted like a
# backup.
REVOCATION_FILE_NAME: Final = "league-ended.list"
FOREIGN_REVOCATION_FILE_NAME: Final = "league-ended-{}.list"  # new file name for the list of another installation


def store_revocation_list() -> None:
    """Write the revocation list beside the backups, and pass it to BACKUP_COMMAND if this is set."""
    with store.backup_folder() as folder:
        _set_aside_foreign_list(folder / REVOCATION_FILE_NAME)
        revocations.store_revocations(partial(_write_file, folder / REVOCATION_FILE_NAME))


def read_revocation_lists(backup: Path) -> tuple[dict[str, list[RevocationRow]], list[str]]:
    """Return the contents of the signed or encrypted revocation lists, by path, and the paths of all other lists.

    Only a signature with SECRET_KEY or an encryption with BACKUP_KEY proves that an installation with this key wrote
    the list. Files are searched beside the backup and in BACKUP_FOLDER. The lists are ordered from old to new; the
    last is the list of the current database, with the key "the database".
    """
    folders = [backup.resolve().parent, *([Path(settings.BACKUP_FOLDER).resolve()] if settings.BACKUP_FOLDER else [])]
    paths = [
        path
        for folder in dict.fromkeys(folders)
        for name in (REVOCATION_FILE_NAME, FOREIGN_REVOCATION_FILE_NAME.format("*"))
        for path in folder.glob(name)
    ]
    by_path = {str(path): _read_file(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime)}
    lists = {path: stored.revocations for path, stored in by_path.items() if stored.proven}
    if own_revocations := _own_revocations():
        lists["the database"] = own_revocations
    return lists, sorted(by_path.keys() - lists.keys())


def newest_revocations(lists: Iterable[Iterable[RevocationRow]]) -> list[RevocationRow]:
    """Return the newest row for each key. `lists` are ordered from old to new."""
    return list({row.key: row for rows in lists for row in rows}.values())


def _set_aside_foreign_list(path: Path) -> None:
    """Rename the revocation list at `path` if another installation wrote it, so that it is not overwritten.

    A restore of a backup of that installation reads the renamed file too.
    """
    try:
        stored = _read_file(path) if path.is_file() else None
    except UnreadableArchive:  # an older key, or a damaged file: it is overwritten with the whole list
        return
    if stored and stored.origin and not revocations.is_from_this_installation(stored.revocations):
        path.rename(path.with_name(FOREIGN_REVOCATION_FILE_NAME.format(stored.origin)))


def _own_revocations() -> list[RevocationRow]:
    """Return the revocations of the current database; [] if it is unreachable or not migrated."""
    try:
        return (
            revocations.all_revocations() if Revocation._meta.db_table in connection.introspection.table_names() else []
        )
    except Error:
        return []


class _RevocationFile(NamedTuple):
    """The parsed file of a revocation list.

    `origin` is the id of the installation in the file. `proven` is True if a signature or an encryption proves that the
    file was not written by a stranger.
    """

    revocations: list[RevocationRow]
    origin: str
    proven: bool


def _signer() -> Signer:
    return Signer(salt=SIGNING_SALT)


def _write_file(path: Path, rows: Iterable[RevocationRow]) -> None:
    text = "\n".join(json.dumps(row._asdict()) for row in rows)
    contents = [_signer().sign(text).encode()]
    store.write_atomically(path, partial(archive.write_archive, contents, key=settings.BACKUP_KEY))
    if settings.BACKUP_COMMAND:
        store.run_backup_command(path)


def _read_file(path: Path) -> _RevocationFile:
    """Parse the file of a revocation list. Raise UnreadableArchive, also for invalid values.

    The file is `proven` if it is encrypted with BACKUP_KEY or signed with SECRET_KEY.
    """
    packed = bytearray()
    archive.unpack_archive(path, settings.BACKUP_KEY, packed.extend)
    try:
        signed = packed.decode()
        text = signed.rpartition(Signer().sep)[0]
        with suppress(BadSignature):
            text = _signer().unsign(signed)
            return _parse_rows(text, proven=True)
        return _parse_rows(text, proven=bool(settings.BACKUP_KEY))  # it was encrypted with this key
    except (ValueError, TypeError, KeyError):
        raise UnreadableArchive(f"{path} is not a revocation list, or a newer version wrote it.") from None


def _parse_rows(text: str, *, proven: bool) -> _RevocationFile:
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
    return _RevocationFile(rows, next(iter(origins), ""), proven)
