"""Let the database tell what version a board has: the question is the same for each page, and was put together anew."""

from django.db import migrations

TOLD = """
CREATE FUNCTION league_version_of_club(which bigint, past timestamptz, near timestamptz) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT md5(string_agg(stamp::text, '' ORDER BY stamp)) || concat(
        ' ', (SELECT min(final_at) FROM league_evening e JOIN league_season s ON s.id = e.season_id
              WHERE s.club_id = which AND final_at > past),
        ' ', (SELECT min(not_before) FROM league_due d JOIN league_season s ON s.id = d.season_id
              WHERE s.club_id = which AND not_before > near))
    FROM league_clubchange WHERE club = which OR club = 0
$$;
CREATE FUNCTION league_version_of_all(past timestamptz, near timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT md5(string_agg(stamp::text, '' ORDER BY stamp)) || concat(
        ' ', (SELECT min(final_at) FROM league_evening WHERE final_at > past),
        ' ', (SELECT min(not_before) FROM league_due WHERE not_before > near))
    FROM league_clubchange
$$;
"""
NOT_TOLD = """
DROP FUNCTION league_version_of_all(timestamptz, timestamptz);
DROP FUNCTION league_version_of_club(bigint, timestamptz, timestamptz);
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0042_clubs_and_watching_end")]

    operations = [migrations.RunSQL(TOLD, NOT_TOLD)]
