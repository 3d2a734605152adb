from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.models.check import CheckKind
from league.operations.work.backups import revocation_list, store
from league.operations.work.backups.recorded_runs import EXPECTED_EXCEPTIONS, AlreadyRunning, run_and_record_check


class Command(BaseCommand):
    help = "Write the whole database into one file; without a file, make the night's backup now."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="else BACKUP_FOLDER and BACKUP_COMMAND say where")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        def make_backup() -> str:
            if file is None:
                summary = store.create_backup(timezone.now())
                revocation_list.store_revocation_list()
                return summary
            store.write_backup(file)
            return store.summarize_backup(file)

        if file is None and not store.backups_are_configured():
            raise CommandError("Name a file, or set BACKUP_FOLDER or BACKUP_COMMAND.")
        # A backup to another file is not recorded as the nightly backup, which the drill, the copies and the schedule
        # expect in BACKUP_FOLDER.
        is_recorded = file is None or not store.backups_are_configured()
        try:
            if is_recorded:
                summary = run_and_record_check(CheckKind.BACKUP, make_backup, timezone.now, self.stderr.write)
            else:
                summary = make_backup()
        except (AlreadyRunning, *EXPECTED_EXCEPTIONS) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Wrote {summary}.")
