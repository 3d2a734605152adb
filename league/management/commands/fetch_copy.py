from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.operations.work.backups import copies
from league.operations.work.backups.copies import CopyFailed


class Command(BaseCommand):
    help = "Fetch a copy of a backup, and the revocation list, from BACKUP_COPY_TO."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="else the newest copy")
        parser.add_argument("--list", action="store_true", help="print the names of all copies instead")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        if not settings.BACKUP_COPY_TO:
            raise CommandError("Set BACKUP_COPY_TO and BACKUP_COPY_CONFIG.")
        try:
            lines = copies.names_of_copies() if options["list"] else [str(copies.fetch_backup(name))]
        except (OSError, CopyFailed) as error:
            raise CommandError(str(error)) from None
        for line in lines:
            self.stdout.write(line)
