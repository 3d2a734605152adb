"""Databases made by migrations: a new one, and the dump of each release, brought up to date.

A migration that writes rows is tried here, on the rows of the last release's dump (`docs/testing.md`).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from deploy.release import DUMPS_FOLDER
from league.models.revocation import Revocation, RevocationKind
from league.operations.work.backups.side_database import connect_django_to, side_database

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]  # in no transaction, to change the database

# Casts and brackets are left out, because PostgreSQL writes a restored expression with other casts and brackets.
DEFINITION = r"regexp_replace({}, '::[a-z ]+(\[\])?|[()]', '', 'g')"
SCHEMA = {
    "columns": """
        SELECT table_name, column_name, udt_name, is_nullable, column_default, character_maximum_length, is_identity
        FROM information_schema.columns WHERE table_schema = 'public'
    """,
    "constraints": f"""
        SELECT conrelid::regclass::text, contype::text, {DEFINITION.format("pg_get_constraintdef(oid)")}
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    """,
    "indexes": f"""
        SELECT tablename::text, indexname::text, {DEFINITION.format("indexdef")} FROM pg_indexes
        WHERE schemaname = 'public'
    """,
    "triggers": "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "functions": """
        SELECT proname::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND probin IS NULL
    """,
}


def _schema() -> dict[str, list[str]]:
    definitions = {}
    with connection.cursor() as cursor:
        for part, query in SCHEMA.items():
            cursor.execute(query)
            definitions[part] = sorted(map(str, cursor.fetchall()))
    return definitions


@pytest.mark.parametrize("dump", sorted(DUMPS_FOLDER.glob("*.dump")), ids=lambda dump: str(dump.stem))
def test_an_upgraded_database_has_the_schema_of_a_new_one(dump: Path) -> None:
    """It has not, if a migration of an earlier release, or its functions, are changed instead of adding a new one."""
    new = _schema()
    with side_database("old") as old:
        old.fill(dump)
        with connect_django_to(old.name):
            call_command("migrate", verbosity=0)
            assert _schema() == new


def test_a_new_database_identifies_its_installation() -> None:
    """Without this row, a restore would take each revocation list for one of another installation."""
    with side_database("new") as new, connect_django_to(new.name):
        call_command("migrate", verbosity=0)
        assert Revocation.objects.filter(kind=RevocationKind.ORIGIN).count() == 1
