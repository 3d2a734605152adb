from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.operations.work.verification import all_pending_recomputes, verify_and_record


class Command(BaseCommand):
    """Verify all stored numbers. The exit status is 1 if a number differs."""

    help = "Derive every stored number again from the facts and report each difference."

    def handle(self, *args: Any, **options: Any) -> None:
        differences = verify_and_record()
        for difference in differences:
            self.stdout.write(str(difference))
        for pending_recompute in all_pending_recomputes():
            self.stdout.write(f"waits for the next run: {pending_recompute}")
        if differences:
            raise CommandError(f"{len(differences)} stored numbers do not follow from the facts.")
        self.stdout.write("Every stored number follows from the facts.")
