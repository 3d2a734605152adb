from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.actions.club_import import ClubAlreadyImported, check_not_imported, import_club
from league.imports.queries.club_file.comparison import differences_from_file
from league.imports.queries.club_file.reading import UnreadableFile, read_club_file
from league.models import Run
from league.recompute.work import runs


class Command(BaseCommand):
    help = "Take in a club from the file that `export_club` wrote. Everybody in it is a new person, without a login."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--once-more", action="store_true", help="take it in although the club is here already")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            with options["file"].open("rb") as file:
                club_file = read_club_file(file)
                if not options["once_more"]:
                    check_not_imported(club_file)
                club = import_club(club_file, now=now)
                # Printed before the run, because the run may fail at another club.
                self.stdout.write(f"Took in {club}: {club.get_absolute_url()}")
                runs.run(Run.Trigger.COMMAND, now=now)
                club_differences = list(differences_from_file(club, file))
        except OSError as error:
            raise CommandError(str(error)) from None
        except ClubAlreadyImported as error:
            raise CommandError(
                f"Nothing was taken in: {error} is here already. --once-more makes it again, with all its people."
            ) from None
        except runs.RunInProgress:
            raise CommandError(
                "Another run is at work, so its standings and ratings follow later and were not compared with the file."
            ) from None
        except UnreadableFile as error:
            raise CommandError("Nothing was taken in.\n" + "\n".join(error.faults)) from None
        for difference in club_differences:
            self.stdout.write(difference)
        if not club_differences:
            self.stdout.write("Points, standings and ratings are those of the file.")
