"""Databases of builds before release 1.0.0 are refused before anything changes; others are not."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from league.operations.queries.first_release import FIRST_MIGRATIONS, is_replaced


@pytest.mark.django_db
@pytest.mark.parametrize("app", FIRST_MIGRATIONS)
def test_a_database_of_an_earlier_build_is_refused_until_release_1_0_0_has_upgraded_it(app: str) -> None:
    """Else `migrate` would try to create its tables again."""
    recorder = MigrationRecorder(connection)
    recorder.record_applied(app, "0001_schema")
    call_command("check")
    recorder.record_unapplied(app, FIRST_MIGRATIONS[app])
    with pytest.raises(CommandError, match=r"This database is of a build before 1\.0\.0"):
        call_command("check")
    with pytest.raises(CommandError, match=r"This database is of a build before 1\.0\.0"):
        call_command("migrate", skip_checks=False)  # as on the command line


@pytest.mark.parametrize(
    ("name", "replaced"),
    [("0001_schema", True), ("0076_copies_of_backups", True), ("0077_installation_origin", False), ("novelty", False)],
)
def test_only_migrations_of_earlier_builds_were_replaced(name: str, *, replaced: bool) -> None:
    """A name without a number, as of a newer release, must not end a restore with an unexpected error."""
    assert is_replaced("league", name) is replaced
