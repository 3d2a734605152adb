import os
from pathlib import Path
from pwd import getpwuid
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from league.operations.work.backups import store
from league.operations.work.backups.recorded_runs import EXPECTED_EXCEPTIONS, AlreadyRunning
from league.operations.work.backups.restoration import DifferencesFound, restore_backup
from league.operations.work.backups.revocation_list import REVOCATION_FILE_NAME


class Command(BaseCommand):
    help = "Replace the whole database by a backup, brought up to date and verified before it takes the place."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="else the newest in BACKUP_FOLDER")
        parser.add_argument("--replace", action="store_true", help="the database holds data; replace it")
        parser.add_argument(
            "--accept-differences",
            action="store_true",
            help="replace it also by a backup whose stored numbers don't all follow from the facts",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        source = options["file"] or (
            store.newest_backup(Path(settings.BACKUP_FOLDER)) if settings.BACKUP_FOLDER else None
        )
        if source is None:
            raise CommandError("Name a file: there is none in BACKUP_FOLDER.")
        _check_file(source)
        try:
            if "league_club" in connection.introspection.table_names() and not options["replace"]:
                raise CommandError("The database holds data. Say --replace to replace it by the backup.")
            connection.close()
            restored = restore_backup(source, accept_differences=options["accept_differences"])
        except DifferencesFound as differing:
            for difference in differing.differences:
                self.stderr.write(str(difference))
            raise CommandError(
                f"{differing} Nothing was changed. Say --accept-differences to have it all the same."
            ) from None
        except (AlreadyRunning, *EXPECTED_EXCEPTIONS) as error:
            raise CommandError(str(error)) from None
        for difference in restored.differences:
            self.stdout.write(str(difference))
        if restored.foreign_lists:
            self.stderr.write(
                f"Left aside, as another installation's lists of what ended: {', '.join(restored.foreign_lists)}."
            )
        if restored.unproven_lists:
            paths = ", ".join(restored.unproven_lists)
            self.stderr.write(
                f"Left aside, as nothing proves that this installation wrote them: {paths}. "
                "If one is yours, set SECRET_KEY or SECRET_KEY_FALLBACKS to the key that signed it, and restore again."
            )
        if not restored.lists:
            self.stderr.write(
                f"No list of what was erased, revoked or ended since, {REVOCATION_FILE_NAME}, lay beside the backup: "
                "end it by hand."
            )
        if not restored.cache_is_cleared:
            self.stderr.write("The cache did not answer: empty it (FLUSHDB) before it is used, or old sessions go on.")
        for revocation in restored.revocations:
            self.stdout.write(f"ended again: {revocation.kind} {revocation.subject}")
        self.stdout.write(f"The database is as {source} has it, brought up to date. Everybody signs in again.")


def _check_file(source: Path) -> None:
    try:
        if not source.is_file():
            raise CommandError(f"{source} is no file.")
        source.open("rb").close()
    except PermissionError:
        user = getpwuid(os.geteuid()).pw_name
        raise CommandError(
            f"The user {user} may not read {source}: copy it into BACKUP_FOLDER, and make {user} its owner (chown)."
        ) from None
