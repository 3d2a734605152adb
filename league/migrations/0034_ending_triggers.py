"""What ends is written down by the database, whoever ends it."""

from django.db import migrations

NOTED = """
CREATE FUNCTION league_note_ending(kind text, subject bigint, club bigint, remains text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO league_ending (id, kind, subject, club, remains, ended_at, kept)
    VALUES (gen_random_uuid(), kind, subject, club, remains, clock_timestamp(), false)
    ON CONFLICT (kind, subject, club) DO UPDATE
    SET id = EXCLUDED.id, remains = EXCLUDED.remains, ended_at = EXCLUDED.ended_at, kept = false
$$;

CREATE FUNCTION league_login_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM league_note_ending('login', OLD.id, 0, '');
        RETURN NULL;
    END IF;
    IF (OLD.is_active, OLD.is_staff, OLD.is_superuser) IS DISTINCT FROM (NEW.is_active, NEW.is_staff, NEW.is_superuser) THEN
        PERFORM league_note_ending('rights', NEW.id, 0, concat_ws(' ',
            CASE WHEN NEW.is_active THEN 'is_active' END,
            CASE WHEN NEW.is_staff THEN 'is_staff' END,
            CASE WHEN NEW.is_superuser THEN 'is_superuser' END));
    END IF;
    IF OLD.calendar_key IS NOT NULL AND OLD.calendar_key IS DISTINCT FROM NEW.calendar_key THEN
        PERFORM league_note_ending('calendar', NEW.id, 0, '');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER login_ends AFTER DELETE OR UPDATE OF is_active, is_staff, is_superuser, calendar_key ON players_user
    FOR EACH ROW EXECUTE FUNCTION league_login_ends();

CREATE FUNCTION league_token_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_ending('token', OLD.id, 0, '');
    RETURN NULL;
END $$;
CREATE TRIGGER token_ends AFTER DELETE ON league_apitoken FOR EACH ROW EXECUTE FUNCTION league_token_ends();

CREATE FUNCTION league_letters_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_ending('letters', NEW.user_id, 0, coalesce(
        (SELECT string_agg(kind, ' ' ORDER BY kind) FROM league_letterchoice WHERE user_id = NEW.user_id AND NOT wanted), ''));
    RETURN NULL;
END $$;
CREATE TRIGGER letters_end AFTER INSERT OR UPDATE ON league_letterchoice
    FOR EACH ROW EXECUTE FUNCTION league_letters_end();

-- At the commit: a merge deletes a membership before it is known to be one, and two members may change places.
CREATE FUNCTION league_role_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM league_merge WHERE gone_id = OLD.player_id AND undone_at IS NULL) THEN
        PERFORM league_note_ending('role', OLD.player_id, OLD.club_id, coalesce(
            (SELECT role FROM league_membership WHERE club_id = OLD.club_id AND player_id = OLD.player_id), ''));
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER role_ends AFTER DELETE ON league_membership DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION league_role_ends();
CREATE CONSTRAINT TRIGGER role_changes AFTER UPDATE OF role ON league_membership DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION league_role_ends();

-- Whoever comes back has his role again: the last word counts.
CREATE FUNCTION league_role_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE league_ending SET id = gen_random_uuid(), remains = NEW.role, ended_at = clock_timestamp(), kept = false
    WHERE kind = 'role' AND subject = NEW.player_id AND club = NEW.club_id AND remains <> NEW.role;
    RETURN NULL;
END $$;
CREATE TRIGGER role_begins AFTER INSERT ON league_membership FOR EACH ROW EXECUTE FUNCTION league_role_begins();

-- By its id the list of one installation is told from another's.
INSERT INTO league_ending (id, kind, subject, club, remains, ended_at, kept)
VALUES (gen_random_uuid(), 'origin', 0, 0, '', clock_timestamp(), false);
"""

NOT_NOTED = """
DELETE FROM league_ending WHERE kind = 'origin';
DROP TRIGGER login_ends ON players_user;
DROP TRIGGER token_ends ON league_apitoken;
DROP TRIGGER letters_end ON league_letterchoice;
DROP TRIGGER role_ends ON league_membership;
DROP TRIGGER role_changes ON league_membership;
DROP TRIGGER role_begins ON league_membership;
DROP FUNCTION league_role_begins(), league_role_ends(), league_letters_end(), league_token_ends(), league_login_ends();
DROP FUNCTION league_note_ending(text, bigint, bigint, text);
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0033_endings"), ("players", "0007_names")]

    operations = [migrations.RunSQL(NOTED, NOT_NOTED)]
