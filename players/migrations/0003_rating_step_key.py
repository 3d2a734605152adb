import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """A checkpoint's key is its player, game and date: no id of its own to write and to index."""

    dependencies = [
        ("players", "0002_arithmetic_version"),
    ]

    operations = [
        # Into a new table: a column that is taken from a table leaves its place in every row.
        migrations.RunSQL(
            """
            DROP INDEX rating_step_by_date;
            ALTER INDEX players_ratingstep_pkey RENAME TO players_ratingstep_old_pkey;
            ALTER TABLE players_ratingstep RENAME TO players_ratingstep_old;
            """,
            migrations.RunSQL.noop,
        ),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("RatingStep")]),
        migrations.CreateModel(
            name="RatingStep",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "player", "game", "date", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_steps",
                        to="players.player",
                    ),
                ),
                ("micro", models.BigIntegerField()),
                ("date", models.DateField()),
                ("weight", models.PositiveIntegerField()),
                ("tables", models.PositiveIntegerField()),
                ("dates", models.PositiveSmallIntegerField()),
                ("opponents", models.PositiveSmallIntegerField()),
                ("game", models.SlugField(db_index=False, max_length=40)),
            ],
            options={
                "ordering": ["game", "date", "player"],
                "indexes": [models.Index(fields=["game", "date"], name="rating_step_by_date")],
            },
        ),
        migrations.RunSQL(
            """
            INSERT INTO players_ratingstep (player_id, micro, date, weight, tables, dates, opponents, game)
            SELECT player_id, micro, date, weight, tables, dates, opponents, game FROM players_ratingstep_old
            ORDER BY game, player_id, date;
            DROP TABLE players_ratingstep_old;
            """,
            migrations.RunSQL.noop,
        ),
    ]
