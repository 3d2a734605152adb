"""Lists of results become jobs."""

import json
from hashlib import sha256
from typing import Any

from django.db import migrations


def move_lists(apps: Any, _schema_editor: Any) -> None:
    Job = apps.get_model("league", "Job")
    for row in apps.get_model("league", "ResultImport").objects.filter(state="waiting").select_related("season"):
        payload = {
            "by": row.by_id,
            "deals": row.deals,
            "text": row.text,
            "chosen": row.chosen,
            "answers": row.answers,
            "as_counted": row.as_counted,
        }
        digest = sha256(json.dumps(payload | {"by": None}, sort_keys=True).encode()).hexdigest()[:32]
        Job.objects.create(
            kind="import",
            key=f"{row.season.club_id}:{row.season_id}:{digest}",
            payload=payload,
            created_at=row.made_at,
            due_at=row.made_at,
        )


class Migration(migrations.Migration):
    dependencies = [("league", "0056_email_jobs")]

    operations = [
        migrations.RunPython(move_lists, migrations.RunPython.noop),
        migrations.DeleteModel("ResultImport"),
    ]
