"""Migrations that write rows, tried on rows of the schema before them, in a database of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pghistory
import pytest
from django.apps.registry import Apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from pytest_django import DjangoDbBlocker

from players.models import Player
from players.names import without_accents
from tests.build import TAKE, TODAY

OLD = "old_rows"
ODD = {**TAKE, "points": 42.5}  # a half at four seats: legal, and nearly always a slip

Migrate = Callable[[str], Any]

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("old rows")]  # one empty database


class EmptyDatabase:
    """A database without rows, migrated step by step: each test begins with a copy of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        _execute(f"CREATE DATABASE {name}")

    def copy_at(self, migration: str, copy: str) -> None:
        """Migrate it, and copy it."""
        with connected_to(self.name):
            _migrated(migration)
        _execute(f"CREATE DATABASE {copy} TEMPLATE {self.name}")


@pytest.fixture(scope="module")
def empty_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[EmptyDatabase]:
    name = f"{connection.settings_dict['NAME']}_empty"
    with django_db_blocker.unblock():
        _execute(f"DROP DATABASE IF EXISTS {name}")
        yield EmptyDatabase(name)
        _execute(f"DROP DATABASE {name}")


@pytest.fixture
def migrate(empty_database: EmptyDatabase, django_db_blocker: DjangoDbBlocker) -> Iterator[Migrate]:
    """Migrate an empty database, in place of the tests' one, to a migration of league; answer its models.

    Tests of this file go from older migrations to newer ones, as the empty database does.
    """
    name = f"{connection.settings_dict['NAME']}_{OLD}"

    def migrate_to(migration: str) -> Apps:
        if connection.settings_dict["NAME"] != name:
            empty_database.copy_at(migration, name)
            stack.enter_context(connected_to(name))
        return _migrated(migration)

    with django_db_blocker.unblock():
        _execute(f"DROP DATABASE IF EXISTS {name}")
        with ExitStack() as stack:
            yield migrate_to
        _execute(f"DROP DATABASE {name}")


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def _execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


class ReplacedMigrations(MigrationLoader):
    """Reads the migrations of old databases, without the squashed ones that replace them in new databases."""

    def load_disk(self) -> None:
        super().load_disk()
        self.disk_migrations = {key: found for key, found in self.disk_migrations.items() if not found.replaces}


def _migrated(name: str) -> Apps:
    executor = MigrationExecutor(connection)
    executor.loader = ReplacedMigrations(connection)
    executor.migrate([("league", name)])
    apps: Apps = executor.loader.project_state([("league", name)]).apps
    return apps


def test_deals_recorded_before_are_looked_at(migrate: Migrate) -> None:
    """Suspicious ones alone are marked; one that can't be read is left, and so is a voided one."""
    old = migrate("0003_tasks_fail_alone")
    club = old.get_model("league", "Club").objects.create(name="Old", slug="old")
    season = old.get_model("league", "Season").objects.create(
        club=club, name="1", game="tarot", table_sizes=[4], end="hand"
    )
    evening = old.get_model("league", "Evening").objects.create(season=season, date=TODAY)
    sitting = old.get_model("league", "Round").objects.create(evening=evening, number=1)
    table = old.get_model("league", "Table").objects.create(round=sitting, number=1, size=4)
    deals = old.get_model("league", "Deal").objects
    for number, facts in enumerate((TAKE, ODD, {"contract": "dare"}), start=1):
        deals.create(table=table, number=number, facts=facts, rests=[], client_key=uuid4())
    deals.create(table=table, number=None, voided_at=evening.season.founded_at, facts=ODD, rests=[], client_key=uuid4())

    new = migrate("0004_deal_doubted")
    doubted = new.get_model("league", "Deal").objects.order_by("number").values_list("number", "doubted")
    assert list(doubted) == [(1, False), (2, True), (3, False), (None, False)]


def test_people_keep_their_names_and_guests_are_named_by_initial(migrate: Migrate) -> None:
    old = migrate("0025_club_look")
    club = old.get_model("league", "Club").objects.create(name="Old", slug="old")
    player = old.get_model("players", "Player").objects
    membership = old.get_model("league", "Membership").objects
    for given, roles in (("Anne", ["member"]), ("Zoé", ["guest"]), ("Yves", ["guest", "member"]), ("Left", [])):
        names = {"given_name": given, "family_name": "Durand", "display_name": f"{given} Durand"}
        person = player.create(**names, sort_key=without_accents(f"durand {given} {given} durand"))
        for number, role in enumerate(roles):
            second_club = old.get_model("league", "Club").objects.create(name="Other", slug=f"{given}-{number}")
            membership.create(club=second_club if number else club, player=person, role=role)

    new = migrate("0027_guests_by_initial")
    names_by_person = {}
    for person in Player.objects.filter(pk__in=new.get_model("players", "Player").objects.values("pk")):
        names_by_person[person.given_name] = (person.names.public, person.names.members)
        derived = person.derived_names()
        assert {field: getattr(person, field) for field in derived} == derived
    assert names_by_person == {
        "Anne": ("Anne Durand", "Anne Durand"),
        "Zoé": ("Zoé D.", "Zoé Durand"),
        "Yves": ("Yves Durand", "Yves Durand"),
        "Left": ("Left Durand", "Left Durand"),
    }


def test_audit_log_is_filled_from_history_and_acts(migrate: Migrate) -> None:
    old = migrate("0052_status_checks")
    create = {name: old.get_model("league", name).objects.create for name in ("Club", "Membership", "Act", "Deal")}
    user = old.get_model("players", "User").objects.create(email="admin@club.example")
    player = old.get_model("players", "Player").objects.create(given_name="Anne", user=user)
    with pghistory.context(user=user.pk, address="192.0.2.7"):
        club = create["Club"](name="Old", slug="old")
        create["Membership"](club=club, player=player, role="admin")
    season = old.get_model("league", "Season").objects.create(
        club=club, name="1", game="tarot", table_sizes=[4], end="hand"
    )
    evening = old.get_model("league", "Evening").objects.create(season=season, date=TODAY, state="planned")
    sitting = old.get_model("league", "Round").objects.create(evening=evening, number=1, state="accepted")
    tables = [
        old.get_model("league", "Table").objects.create(round=sitting, number=number, size=4) for number in (1, 2)
    ]
    with pghistory.context(user=user.pk, reason="a list of results"):
        for table in tables:
            create["Deal"](table=table, number=1, facts=TAKE, rests=[], client_key=uuid4())
    with pghistory.context(user=user.pk, reason="Twice on the sheet"):
        deal = create["Deal"](table=tables[0], number=2, facts=TAKE, rests=[], client_key=uuid4(), source="table")
        old.get_model("league", "Deal").objects.filter(pk=deal.pk).update(checked=True)
    evening.state = "open"
    evening.opened_at = season.founded_at
    evening.save()
    seat = old.get_model("league", "Seat").objects.create(table=tables[0], round=sitting, number=0, player=player)
    seat.written, seat.written_deals = 30, 4
    seat.save()
    with pghistory.context(user=user.pk, address="192.0.2.9"):
        create["Act"](kind="signed in")
    create["Act"](kind="exported", club=club, user=user, about="members")
    old.get_model("league", "Contest").objects.create(
        deal=deal, player=player, reason="Was 34", raised_at=season.founded_at
    )

    new = migrate("0060_delete_acts")
    entries = new.get_model("league", "AuditEntry").objects.order_by("event", "pk")
    assert set(entries.values_list("club", flat=True)) == {club.pk, None}
    names = ("event", "user", "author", "address", "count", "reason", "params")
    assert [tuple(row) for row in entries.values_list(*names)] == [
        ("club_founded", user.pk, None, "192.0.2.7", 1, "", {"name": "Old"}),
        ("deal_contested", None, player.pk, "", 1, "Was 34", {}),
        ("deal_recorded", user.pk, None, "", 1, "Twice on the sheet", {}),
        ("evening_opened", None, None, "", 1, "", {}),
        ("evening_planned", None, None, "", 1, "", {}),
        ("exported", user.pk, None, "", 1, "", {"what": "members"}),
        ("member_added", user.pk, None, "192.0.2.7", 1, "", {"role": "admin"}),
        ("results_imported", user.pk, None, "", 2, "", {}),
        ("season_created", None, None, "", 1, "", {"name": "1"}),
        ("signed_in", user.pk, None, "192.0.2.9", 1, "", {"clubs": [club.pk]}),
        ("totals_recorded", None, None, "", 1, "", {}),
    ]
    recorded = entries.get(event="deal_recorded")
    assert (recorded.evening_id, recorded.table_id, recorded.deal_id) == (evening.pk, tables[0].pk, deal.pk)
    imported = entries.get(event="results_imported")
    assert (imported.evening_id, imported.table_id, imported.deal_id) == (evening.pk, None, None)
    assert entries.get(event="club_founded").context_id is not None


def test_unfinished_work_goes_on_as_jobs(migrate: Migrate) -> None:
    """Parts of a run that an upgrade interrupted, a list that waited, and an email that could not go out."""
    old = migrate("0053_jobs")
    moment = datetime(2026, 10, 1, 3, tzinfo=UTC)
    run = old.get_model("league", "Run").objects.create(trigger="night", started_at=moment)
    tasks = old.get_model("league", "RunTask").objects
    tasks.create(run=run, seasons=[3, 5], dues=[8], arithmetic=2, done=True, result=[{"season": 3}])
    tasks.create(
        run=run, game="tarot", since=date(2026, 1, 2), dues=[9], arithmetic=4, done_until=date(2026, 3, 4), tries=1
    )
    tasks.create(run=run, game="belote", since=date.min, arithmetic=4, error="No", died=True)
    old.get_model("league", "UnsentLetter").objects.create(
        address="a@club.example", subject="A role", body="…", written_at=moment, due_at=moment
    )
    new = migrate("0056_email_jobs")
    jobs = new.get_model("league", "Job").objects.order_by("pk")
    seasons, tarot, belote, email = jobs
    assert (seasons.state, seasons.key, seasons.result) == ("done", "seasons 3-5", {"rows": [{"season": 3}]})
    assert (tarot.state, tarot.progress["done_until"], tarot.attempts) == ("waiting", "2026-03-04", 1)
    assert tarot.payload == {
        "run": run.pk,
        "seasons": [],
        "game": "tarot",
        "since": "2026-01-02",
        "dues": [9],
        "arithmetic": 4,
    }
    assert (belote.state, belote.error, belote.progress) == ("failed", "No", {"died": True})
    assert (email.kind, email.state, email.payload["address"]) == ("email", "waiting", "a@club.example")


SCHEMA = {
    "columns": """
        SELECT table_name, column_name, udt_name, is_nullable, column_default, character_maximum_length, is_identity
        FROM information_schema.columns WHERE table_schema = 'public'
    """,
    "constraints": """
        SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
    """,
    "indexes": "SELECT tablename::text, indexname::text, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    # Two functions whose triggers were dropped are left over in old databases.
    "functions": """
        SELECT proname::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND probin IS NULL
        AND proname NOT IN ('pgtrigger_append_only_93ed5', 'pgtrigger_in_context_29053')
    """,
    # The only row that is there from the beginning: without it, a restore repeats no revocation.
    "identity of the installation": "SELECT kind, subject, club FROM league_ending",
}


def _schema() -> dict[str, list[str]]:
    found = {}
    with connection.cursor() as cursor:
        for part, query in SCHEMA.items():
            cursor.execute(query)
            found[part] = sorted(map(str, cursor.fetchall()))
    return found


@pytest.fixture
def new_schema(empty_database: EmptyDatabase, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, list[str]]]:
    """The schema that a new database gets."""
    name = f"{empty_database.name}_new"
    with django_db_blocker.unblock():
        _execute(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}")
        with connected_to(name):
            call_command("migrate", verbosity=0)
            yield _schema()
        _execute(f"DROP DATABASE {name}")


def test_new_databases_have_the_schema_of_old_ones(new_schema: dict[str, list[str]], migrate: Migrate) -> None:
    """The squashed migrations make what those do that they replace; an old database takes them as applied."""
    migrations = MigrationLoader(None).disk_migrations
    migrate(max(name for app, name in migrations if app == "league"))
    call_command("migrate", verbosity=0)
    assert _schema() == new_schema
    squashed = {key for key, migration in migrations.items() if migration.replaces}
    assert squashed <= set(MigrationLoader(connection).applied_migrations)
