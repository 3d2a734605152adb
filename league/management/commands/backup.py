"""`manage.py backup FILE`: the whole database in one file, by pg_dump."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error
from django.utils import timezone

from league.models.check import CheckKind
from league.monitoring.check_notes import note
from league.monitoring.postgres_tools import ToolFailed, run_tool


class Command(BaseCommand):
    """Write a backup that `manage.py restore FILE` reads; a file is whole or it isn't there."""

    help = "Write the whole database into one file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Dump beside the file, then rename, so that a cut-off backup never looks like one."""
        target: Path = options["file"]
        unfinished = target.with_name(f"{target.name}.unfinished")
        try:
            unfinished.touch(mode=0o600)
            run_tool("pg_dump", "--format=custom", f"--file={unfinished}")
            unfinished.replace(target)
        except (OSError, ToolFailed) as error:
            unfinished.unlink(missing_ok=True)
            self._note(str(error), ok=False)
            raise CommandError(str(error)) from None
        self._note(f"{target.name} ({target.stat().st_size:,} bytes)", ok=True)
        self.stdout.write(f"Wrote {target} ({target.stat().st_size:,} bytes).")

    def _note(self, summary: str, *, ok: bool) -> None:
        """Tell the installation's admin. A database that is away, or older than this code, forbids no backup."""
        try:
            note(CheckKind.BACKUP, now=timezone.now(), ok=ok, summary=summary)
        except Error as error:
            self.stderr.write(f"That a backup was made or failed could not be noted: {error}")
