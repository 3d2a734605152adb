"""`manage.py restore FILE`: the database as a backup has it, by pg_restore."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from league.monitoring.postgres_tools import ToolFailed, run_tool


class Command(BaseCommand):
    """Replace everything in the database by a backup: all of it, or nothing if that fails."""

    help = "Replace the whole database by a backup."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """From where; and whether what is there may go."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="the database holds data; replace it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore in one transaction."""
        source: Path = options["file"]
        if not source.is_file():
            raise CommandError(f"{source} is no file.")
        if "league_club" in connection.introspection.table_names() and not options["replace"]:
            raise CommandError("The database holds data. Say --replace to replace it by the backup.")
        connection.close()
        try:
            run_tool(
                "pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction",
                f"--dbname={connection.settings_dict['NAME']}", str(source),
            )  # fmt: skip
        except ToolFailed as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The database is as {source} has it.")
