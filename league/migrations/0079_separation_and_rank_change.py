"""Call two models `Separation` and `RankChange` in the code.

Their tables keep their names, so the database is unchanged, and the previous release works beside this one.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    rolling = True
    dependencies = [("league", "0078_pending_recompute")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Apart", "Separation"),
                migrations.AlterModelTable("Separation", "league_apart"),
                migrations.AlterField(
                    "Separation",
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="separations", to="league.club"
                    ),
                ),
                migrations.RenameModel("Movement", "RankChange"),
                migrations.AlterModelTable("RankChange", "league_movement"),
                migrations.AlterField(
                    "RankChange",
                    "run",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rank_changes",
                        to="league.run",
                    ),
                ),
                migrations.AlterField(
                    "RankChange",
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rank_changes",
                        to="players.player",
                    ),
                ),
            ],
        )
    ]
