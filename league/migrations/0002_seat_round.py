"""A seat's round is its table's: without this the one seat a round could be got around."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("league", "0001_calendar")]

    operations = [
        migrations.RunSQL(
            """
            ALTER TABLE league_table ADD CONSTRAINT table_id_and_round UNIQUE (id, round_id);
            ALTER TABLE league_seat ADD CONSTRAINT seat_in_its_tables_round
                FOREIGN KEY (table_id, round_id) REFERENCES league_table (id, round_id)
                DEFERRABLE INITIALLY DEFERRED;
            """,
            """
            ALTER TABLE league_seat DROP CONSTRAINT seat_in_its_tables_round;
            ALTER TABLE league_table DROP CONSTRAINT table_id_and_round;
            """,
        )
    ]
