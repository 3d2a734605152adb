"""`manage.py export_club SLUG FILE`: a club whole, in a file that another installation takes in."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.imports.queries.club_file.export import write
from league.models import Club


class Command(BaseCommand):
    """Write a club's file; it is whole or it isn't there."""

    help = "Write a club whole into a zip of tables that are described; without logins."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the club, as in the address of its page")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write beside the file, then rename."""
        club = Club.objects.filter(slug=options["slug"]).first()
        if club is None:
            raise CommandError(f"No club has the address {options['slug']!r}.")
        target: Path = options["file"]
        unfinished = target.with_name(f"{target.name}.unfinished")
        try:
            unfinished.touch(mode=0o600)
            with unfinished.open("wb") as file:
                write(club, file)
            unfinished.replace(target)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise CommandError(str(error)) from None
        self.stdout.write(f"Wrote {club} to {target} ({target.stat().st_size:,} bytes).")
