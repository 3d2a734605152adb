"""Write the row that identifies an installation, if the database has none: migrations before 1.0.0 wrote it for some.

Without this row, a restore takes each revocation list for one of another installation, and repeats no revocation.
"""

from django.db import migrations


class Migration(migrations.Migration):
    rolling = True
    dependencies = [("league", "0001_squashed_0076_copies_of_backups")]
    operations = [
        migrations.RunSQL(
            "INSERT INTO league_ending (id, kind, subject, club, remains, ended_at, kept)"
            " SELECT gen_random_uuid(), 'origin', 0, 0, '', clock_timestamp(), false"
            " WHERE NOT EXISTS (SELECT FROM league_ending WHERE kind = 'origin')",
            migrations.RunSQL.noop,
        )
    ]
