"""Recompute jobs replace the tasks of runs."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone


def convert(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Continue a run that an upgrade interrupted."""
    Job = apps.get_model("league", "Job")
    for task in apps.get_model("league", "RunTask").objects.order_by("pk"):
        state = "done" if task.done else "failed" if task.error else "waiting"
        Job.objects.create(
            kind="recompute",
            key=f"game {task.game}" if task.game else f"seasons {task.seasons[0]}-{task.seasons[-1]}",
            payload={
                "run": task.run_id,
                "seasons": task.seasons,
                "game": task.game,
                "since": task.since and task.since.isoformat(),
                "dues": task.dues,
                "arithmetic": task.arithmetic,
            },
            progress={"died": task.died} | ({"done_until": task.done_until.isoformat()} if task.done_until else {}),
            result={"rows": task.result} if task.result else {},
            state=state,
            attempts=task.tries,
            error=task.error,
            created_at=task.run.started_at,
            due_at=task.run.started_at,
            ended_at=None if state == "waiting" else timezone.now(),
        )


class Migration(migrations.Migration):
    dependencies = [("league", "0053_jobs")]

    operations = [
        migrations.RunPython(convert, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel("RunTask"),
    ]
