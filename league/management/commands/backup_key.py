from typing import Any

from django.core.management.base import BaseCommand

from league.operations.work.backups.archive import generate_key


class Command(BaseCommand):
    help = "Print a new key for BACKUP_KEY. Keep a copy elsewhere: without it no backup is opened again."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(generate_key())
