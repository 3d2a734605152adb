from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.crypto import get_random_string

from league.demo import club, reset
from league.demo.people import LOGINS, PASSWORD
from league.models import Club, Deal, Run
from league.operations.work.jobs import JobPostponed
from league.recompute.work import runs


class Command(BaseCommand):
    help = "Make the demo club: last year's season, and this year's of each game with tonight's evening open."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="do nothing when there is a club already")
        parser.add_argument(
            "--reset", action="store_true", help="with DEMO: delete everything, and make the club again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["reset"]:
            self._reset()
            return
        if Club.objects.exists():
            if options["if_empty"]:
                return
            raise CommandError("There is a club already; the demo is for an empty database.")
        if settings.DEMO:
            self._reset()
            return
        password = get_random_string(16) if settings.HTTPS else PASSWORD  # PASSWORD is public
        demo_club = club.make_demo_club(timezone.localdate(), password)
        runs.run(Run.Trigger.COMMAND, now=timezone.now(), everything=True)
        self.stdout.write(f"Made the demo club {demo_club.name!r} with {Deal.objects.count()} deals.")
        self.stdout.write(f"Its logins: {', '.join(LOGINS)}. Their password: {password}")

    def _reset(self) -> None:
        try:
            reset.reset_demo(timezone.now())
        except reset.NotADemo as error:
            raise CommandError(str(error)) from error
        except JobPostponed as error:
            raise CommandError("Standings are being computed. Try again in a minute.") from error
        self.stdout.write("Filled the database for the demo; each night it is reset.")
