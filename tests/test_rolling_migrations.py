"""Each new migration states whether the previous release works after it; deploy/upgrade asks, with several machines."""

from __future__ import annotations

from typing import Final

import pytest
from django.db import migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.models.fields import NOT_PROVIDED

from league.operations.queries.first_release import FIRST_MIGRATIONS

# The previous release reads and writes each of its columns and tables by their names.
TAKING_AWAY: Final = (
    *(migrations.RemoveField, migrations.RenameField, migrations.DeleteModel, migrations.RenameModel),
    migrations.AlterModelTable,
)


def problem_of(migration: Migration) -> str:
    """Return why a migration's statement is missing or wrong, "" if it is right."""
    rolling = getattr(migration, "rolling", None)
    if not isinstance(rolling, bool):
        return "state `rolling = True` or `rolling = False` in the class (docs/testing.md)"
    for operation in migration.operations if rolling else ():
        if isinstance(operation, TAKING_AWAY):
            return f"the previous release needs what {operation.describe()!r} takes away"
        if isinstance(operation, migrations.AddField) and not _may_be_left_out(operation.field):
            return f"the previous release does not write {operation.name}: give it null=True or a db_default"
    return ""


def _may_be_left_out(field: models.Field[object, object]) -> bool:
    return field.null or field.many_to_many or field.db_default is not NOT_PROVIDED


def test_each_new_migration_states_whether_the_previous_release_works_after_it() -> None:
    loader = MigrationLoader(None)
    wrong = {
        f"{app}.{name}": problem
        for (app, name), migration in loader.disk_migrations.items()
        if name != FIRST_MIGRATIONS.get(app, name) and (problem := problem_of(migration))
    }
    assert not wrong


@pytest.mark.parametrize(
    ("operations", "is_right"),
    [
        ([migrations.AddField("club", "motto", models.CharField(max_length=9, null=True))], True),
        ([migrations.AddField("club", "motto", models.CharField(max_length=9, db_default=""))], True),
        ([migrations.AddField("club", "motto", models.CharField(max_length=9, default=""))], False),
        ([migrations.CreateModel("Motto", [("id", models.BigAutoField(primary_key=True))])], True),
        ([migrations.RemoveField("club", "name")], False),
        ([migrations.RenameField("club", "name", "title")], False),
        ([migrations.DeleteModel("Club")], False),
    ],
    ids=lambda value: "" if isinstance(value, bool) else value[0].describe(),
)
def test_a_statement_that_cannot_be_true_is_refused(
    operations: list[migrations.operations.base.Operation], is_right: bool
) -> None:
    for stated, accepted in (({}, False), ({"rolling": True}, is_right), ({"rolling": False}, True)):
        kind = type("Migration", (Migration,), {"operations": operations, **stated})
        assert (problem_of(kind("0077_next", "league")) == "") is accepted
