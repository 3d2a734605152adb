from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.models import Run
from league.operations.work.clock import database_now
from league.recompute.work import runs


class Command(BaseCommand):
    help = "Recompute every season's standings and every game's ratings from the facts."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            completed_run = runs.run(Run.Trigger.COMMAND, now=database_now(), everything=True)
        except runs.RunInProgress:
            raise CommandError("Another run is at work. Try again when it is done.") from None
        for season in completed_run.seasons:
            self.stdout.write(f"{season['name']}: {season['places']} places, {season['changed']} changed")
        for game in completed_run.games:
            self.stdout.write(f"{game['game']}: {game['tables']} tables, {game['changed']} ratings changed")
        if completed_run.failed:
            raise CommandError(completed_run.error)
