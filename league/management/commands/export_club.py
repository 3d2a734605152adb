from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.imports.queries.club_file.export import write_club_file
from league.models import Club
from league.operations.work.backups.store import write_atomically


class Command(BaseCommand):
    help = "Write a club whole into a zip of tables that are described; without logins."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the club, as in the address of its page")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["slug"]).first()
        if club is None:
            raise CommandError(f"No club has the address {options['slug']!r}.")
        target: Path = options["file"]
        try:
            write_atomically(target, partial(write_club_file, club))
        except OSError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Wrote {club} to {target} ({target.stat().st_size:,} bytes).")
