from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from league.models.check import CheckKind
from league.operations.work.backups import copies
from league.operations.work.backups.recorded_runs import EXPECTED_EXCEPTIONS, AlreadyRunning, run_and_record_check


class Command(BaseCommand):
    help = "Copy the newest backup of BACKUP_FOLDER to BACKUP_COPY_TO, read it back, and delete old copies."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.BACKUP_COPY_TO:
            raise CommandError("Set BACKUP_COPY_TO and BACKUP_COPY_CONFIG.")
        try:
            summary = run_and_record_check(CheckKind.COPY, copies.copy_newest_backup, timezone.now, self.stderr.write)
        except (AlreadyRunning, *EXPECTED_EXCEPTIONS) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{settings.BACKUP_COPY_TO} has {summary}.")
