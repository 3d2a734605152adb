from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.models.check import CheckKind
from league.operations.work.backups.drill import drill_backup, drill_newest_backup
from league.operations.work.backups.recorded_runs import EXPECTED_EXCEPTIONS, AlreadyRunning, run_and_record_check


class Command(BaseCommand):
    """Test a backup. The exit status is 1 if it cannot be restored, lacks rows, or contains wrong numbers."""

    help = "Restore a backup into a database of its own, count its rows, verify its numbers, and drop it again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="else the newest in BACKUP_FOLDER")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        if file is not None and not file.is_file():
            raise CommandError(f"{file} is no file.")
        work = drill_newest_backup if file is None else partial(drill_backup, file)
        try:
            summary = run_and_record_check(CheckKind.DRILL, work, timezone.now, self.stderr.write)
        except (AlreadyRunning, *EXPECTED_EXCEPTIONS) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Restored aside, counted and verified: {summary}.")
