"""`manage.py backup [FILE]`: the whole database in one file, which `manage.py restore` reads."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.models.check import CheckKind
from league.operations.work.backups import ended_list, store
from league.operations.work.backups.notes import FAILURES, Busy, noted


class Command(BaseCommand):
    """Write a backup; a file is whole or it isn't there."""

    help = "Write the whole database into one file; without a file, make the night's backup now."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to."""
        parser.add_argument("file", type=Path, nargs="?", help="else BACKUP_FOLDER and BACKUP_COMMAND say where")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        """Write it, and tell the installation's admin how it ended."""

        def made() -> str:
            if file is None:
                said = store.keep_new(timezone.now())
                ended_list.keep()
                return said
            store.write(file)
            return store.summary(file)

        if file is None and not store.is_set_up():
            raise CommandError("Name a file, or set BACKUP_FOLDER or BACKUP_COMMAND.")
        try:
            said = noted(CheckKind.BACKUP, made, timezone.now, self.stderr.write)
        except (Busy, *FAILURES) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Wrote {said}.")
