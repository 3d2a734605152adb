"""Call the sort key of a name for a club's committee `committee_key` in the code.

Its column keeps its name, so the database is unchanged, and the previous release works beside this one.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    rolling = True
    dependencies = [("players", "0001_squashed_0009_first_meeting")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("Player", "work_key", "committee_key"),
                migrations.AlterField(
                    "Player",
                    "committee_key",
                    models.CharField(db_column="work_key", default="", editable=False, max_length=260),
                ),
            ],
        )
    ]
