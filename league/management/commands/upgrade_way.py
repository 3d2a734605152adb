from typing import Any

from django.core.management.base import BaseCommand, CommandError
from kombu.exceptions import OperationalError

from league.operations.work.rolling_upgrade import is_rolling, other_machines, pending_migrations


class Command(BaseCommand):
    help = "Print how deploy/upgrade may start this release: alone, or rolling, while other machines serve the site."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            machines = ", ".join(other_machines())
        except OperationalError as error:
            raise CommandError(
                f"REDIS_URL does not answer ({error}), so nobody knows whether other machines run. "
                "If this is the only one, write ALONE=yes before the command."
            ) from None
        if not machines:
            self.stdout.write("alone")
            return
        stopping = [
            f"{migration.app_label}.{migration.name}" for migration in pending_migrations() if not is_rolling(migration)
        ]
        if stopping:
            raise CommandError(
                f"The services of {machines} run, and would not work after these migrations: {', '.join(stopping)}. "
                "Nothing was changed. Stop the services there, by: systemctl stop 'league*' "
                "(docs/several-machines.md, Upgrade)."
            )
        self.stdout.write("rolling")
