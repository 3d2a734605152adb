"""`manage.py backup [FILE]`: writes the database into a file for `manage.py restore`."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.models.check import CheckKind
from league.operations.work.backups import ended_list, store
from league.operations.work.backups.notes import FAILURES, Busy, noted


class Command(BaseCommand):
    help = "Write the whole database into one file; without a file, make the night's backup now."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="else BACKUP_FOLDER and BACKUP_COMMAND say where")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        def write_backup() -> str:
            if file is None:
                summary = store.keep_new(timezone.now())
                ended_list.keep()
                return summary
            store.write(file)
            return store.summary(file)

        if file is None and not store.is_set_up():
            raise CommandError("Name a file, or set BACKUP_FOLDER or BACKUP_COMMAND.")
        try:
            summary = noted(CheckKind.BACKUP, write_backup, timezone.now, self.stderr.write)
        except (Busy, *FAILURES) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Wrote {summary}.")
