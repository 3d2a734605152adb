"""An installation to break: servers of its own, two workers, and a league with pending work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from django.core.management import CommandError, call_command
from psycopg.errors import DeadlockDetected
from pytest_django import DjangoDbBlocker

from deploy import places
from tests.faults import grip, played
from tests.faults.machines import Machines, wait_for
from tests.faults.own import Database, django_moved_to


class Installation(NamedTuple):
    database: Database
    machines: Machines


@pytest.fixture(scope="session")
def one_installation(django_db_blocker: DjangoDbBlocker) -> Iterator[Installation]:
    """One for all tests: the tables are created once, and a worker lives until it is killed."""
    with places.temporary_folder() as folder:
        database = Database(folder)
        try:
            machines = Machines(folder, database.url)
            try:
                machines.start(workers=2)
                with django_db_blocker.unblock(), django_moved_to(database.url):
                    call_command("migrate", verbosity=0)
                yield Installation(database, machines)
            finally:
                machines.stop()
        finally:
            database.close()


@pytest.fixture
def installation(one_installation: Installation, django_db_blocker: DjangoDbBlocker) -> Iterator[Installation]:
    """The installation with two ready workers; Django is connected to its database."""
    with django_db_blocker.unblock(), django_moved_to(one_installation.database.url):
        played.play()
        one_installation.machines.up()
        yield one_installation
        one_installation.machines.rest()
        one_installation.database.give_back()
        wait_for(lambda: not grip.at_work() and emptied(), "the end of what a test has left at work")


def emptied() -> bool:
    """Delete all rows, and return whether it worked.

    If a worker has begun its next step, both wait for a table of the other, and PostgreSQL ends our transaction.
    """
    try:
        call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)
    except CommandError as error:
        if not isinstance(error.__cause__ and error.__cause__.__cause__, DeadlockDetected):
            raise
        return False
    return True


@pytest.fixture
def machines(installation: Installation) -> Machines:
    return installation.machines
