"""Call the model of pending work `PendingRecompute` in the code.

Its table keeps its name, so the database is unchanged, and the previous release works beside this one.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    rolling = True
    dependencies = [("league", "0077_installation_origin")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Due", "PendingRecompute"),
                migrations.AlterModelTable("PendingRecompute", "league_due"),
                migrations.AlterModelOptions("PendingRecompute", {"verbose_name": "pending recompute"}),
                migrations.AlterField(
                    "PendingRecompute",
                    "season",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pending_recomputes",
                        to="league.season",
                    ),
                ),
            ],
        )
    ]
