"""`manage.py verify`: does every stored number follow from the facts?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.operations.work.verification import look_through, waiting


class Command(BaseCommand):
    """Derive everything again and report each difference by name; exit status 1 if there is one."""

    help = "Derive every stored number again from the facts and report each difference."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each difference."""
        found = look_through()
        for difference in found:
            self.stdout.write(str(difference))
        for due in waiting():
            self.stdout.write(f"waits for the next run: {due}")
        if found:
            raise CommandError(f"{len(found)} stored numbers do not follow from the facts.")
        self.stdout.write("Every stored number follows from the facts.")
