"""Jobs replace the table of emails that are sent again."""

from uuid import uuid4

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def convert(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Job = apps.get_model("league", "Job")
    for email in apps.get_model("league", "UnsentLetter").objects.order_by("pk"):
        Job.objects.create(
            kind="email",
            key=uuid4().hex,
            payload={"address": email.address, "subject": email.subject, "body": email.body},
            created_at=email.written_at,
            due_at=email.due_at,
        )


class Migration(migrations.Migration):
    dependencies = [("league", "0055_verification_jobs")]

    operations = [
        migrations.RunPython(convert, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel("UnsentLetter"),
    ]
