-- Functions and triggers that no model describes. 0001_squashed_0076_copies_of_backups.py runs this file; a change
-- is made by a new migration.

-- The round of a seat is the round of its table: without this the rule "one seat a player in each round" could be evaded.
ALTER TABLE league_table ADD CONSTRAINT table_id_and_round UNIQUE (id, round_id);
ALTER TABLE league_seat ADD CONSTRAINT seat_in_its_tables_round
    FOREIGN KEY (table_id, round_id) REFERENCES league_table (id, round_id) DEFERRABLE INITIALLY DEFERRED;

CREATE FUNCTION league_note_change(club bigint)
RETURNS void
LANGUAGE sql
AS $function$
    INSERT INTO league_clubchange (club, transaction, at, stamp)
    VALUES (club, pg_current_xact_id()::text::bigint, transaction_timestamp(), gen_random_uuid())
    ON CONFLICT DO NOTHING
$function$;

CREATE FUNCTION league_note_ending(kind text, subject bigint, club bigint, remains text)
RETURNS void
LANGUAGE sql
AS $function$
    INSERT INTO league_ending (id, kind, subject, club, remains, ended_at, kept)
    VALUES (gen_random_uuid(), kind, subject, club, remains, clock_timestamp(), false)
    ON CONFLICT (kind, subject, club) DO UPDATE
    SET id = EXCLUDED.id, remains = EXCLUDED.remains, ended_at = EXCLUDED.ended_at, kept = false
$function$;

CREATE FUNCTION league_act_stays()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF current_setting('league.history_goes', true) = 'on' THEN
            RETURN OLD;
        END IF;
    ELSIF NEW.id = OLD.id AND NEW.created_at = OLD.created_at THEN
        -- The act itself, which still goes on, may add to what it says; and an address may be forgotten.
        IF current_setting('pghistory.context_id', true) = OLD.id::text OR NEW.metadata = OLD.metadata - 'address' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'What was done stays as it was written: % of %', TG_OP, TG_TABLE_NAME;
END;
$function$;

CREATE FUNCTION league_adjustment_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_season s ON s.id = c.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_attendance_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_evening e ON e.id = c.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_audit_delete_club(deleted bigint)
RETURNS void
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM set_config('league.audit_log_changes', 'on', true);
    DELETE FROM league_auditentry
    WHERE club_id = deleted AND event NOT IN ('deletion_asked', 'deletion_cancelled', 'club_deleted');
    UPDATE league_auditentry SET params = jsonb_set(params, '{clubs}', (
        SELECT coalesce(jsonb_agg(club), '[]') FROM jsonb_array_elements(params->'clubs') clubs (club)
        WHERE club <> to_jsonb(deleted)
    ))
    WHERE event = 'signed_in' AND params->'clubs' @> to_jsonb(deleted);
    PERFORM set_config('league.audit_log_changes', '', true);
END $function$;

CREATE FUNCTION league_audit_erase_user(erased bigint)
RETURNS void
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM set_config('league.audit_log_changes', 'on', true);
    UPDATE pghistory_context SET metadata = metadata - 'address'
    FROM league_auditentry entry
    WHERE entry.context_id = pghistory_context.id AND entry.user_id = erased AND metadata ? 'address';
    UPDATE league_auditentry SET address = '' WHERE user_id = erased AND address <> '';
    PERFORM set_config('league.audit_log_changes', '', true);
END $function$;

CREATE FUNCTION league_audit_log_history(of_club bigint)
RETURNS void
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM set_config('league.audit_log_changes', 'on', true);
WITH deals AS (
    SELECT event.*,
        CASE WHEN pgh_label = 'insert' THEN 'deal_recorded'
            WHEN voided_at IS NOT NULL THEN 'deal_voided'
            WHEN version = lag(version) OVER earlier AND checked THEN 'deals_checked'
            ELSE 'deal_revised' END AS what
    FROM league_dealevent event
    WINDOW earlier AS (PARTITION BY pgh_obj_id ORDER BY pgh_id)
), seats AS (
    SELECT event.*, lag(written) OVER earlier AS old_written, lag(player_id) OVER earlier AS old_player
    FROM league_seatevent event
    WINDOW earlier AS (PARTITION BY pgh_obj_id ORDER BY pgh_id)
), evenings AS (
    SELECT event.*, lag(state) OVER earlier AS old_state,
        ROW(date, name, weight, season_final, begins_at, place) AS shown,
        lag(ROW(date, name, weight, season_final, begins_at, place)) OVER earlier AS old_shown
    FROM league_eveningevent event
    WINDOW earlier AS (PARTITION BY pgh_obj_id ORDER BY pgh_id)
), attendances AS (
    SELECT event.*, lag(paid) OVER earlier AS old_paid
    FROM league_attendanceevent event
    WINDOW earlier AS (PARTITION BY pgh_obj_id ORDER BY pgh_id)
), seasons AS (
    SELECT event.*, lag(state) OVER earlier AS old_state, lag(house_rules) OVER earlier AS old_house_rules,
        lag(standings_rules) OVER earlier AS old_standings_rules
    FROM league_seasonevent event
    WINDOW earlier AS (PARTITION BY pgh_obj_id ORDER BY pgh_id)
), memberships AS (
    SELECT event.*, lag(role) OVER earlier AS old_role
    FROM league_membershipevent event
    WINDOW earlier AS (PARTITION BY pgh_obj_id ORDER BY pgh_id)
), clubs AS (
    SELECT event.*, lag(asks_second_factor) OVER earlier AS old_asks, lag(delete_at) OVER earlier AS old_delete_at
    FROM league_clubevent event
    WINDOW earlier AS (PARTITION BY pgh_obj_id ORDER BY pgh_id)
), tables AS (
    SELECT season.club_id, evening.season_id, round.evening_id, play.round_id, play.id AS table_id, round.state
    FROM league_table play
    JOIN league_round round ON round.id = play.round_id
    JOIN league_evening evening ON evening.id = round.evening_id
    JOIN league_season season ON season.id = evening.season_id
    WHERE of_club IS NULL OR season.club_id = of_club
), places AS (
    SELECT evening.id AS evening_id, evening.season_id, season.club_id
    FROM league_evening evening JOIN league_season season ON season.id = evening.season_id
    WHERE of_club IS NULL OR season.club_id = of_club
), changes (key, context, at, event, club, season, evening, round, play, deal, player, unit, words, params) AS (
    SELECT pgh_id::text, pgh_context_id, pgh_created_at, what, club_id, season_id, evening_id, round_id, table_id,
        pgh_obj_id, NULL::bigint, pgh_obj_id, '',
        CASE WHEN checked OR what IN ('deal_voided', 'deals_checked') THEN '{}' ELSE '{"at_table": true}' END
    FROM deals JOIN tables USING (table_id)
    UNION ALL
    SELECT pgh_created_at::text, pgh_context_id, pgh_created_at,
        CASE WHEN old_written IS NULL THEN 'totals_recorded' ELSE 'totals_revised' END,
        club_id, season_id, evening_id, tables.round_id, table_id, NULL, NULL, table_id, '', '{}'
    FROM seats JOIN tables USING (table_id)
    WHERE written IS NOT NULL AND pgh_label <> 'delete' AND written IS DISTINCT FROM old_written
    UNION ALL
    SELECT pgh_created_at::text, pgh_context_id, pgh_created_at, 'seats_changed',
        club_id, season_id, evening_id, tables.round_id, NULL, NULL, NULL, tables.round_id, '', '{}'
    FROM seats JOIN tables USING (table_id)
    WHERE pgh_label = 'update' AND player_id <> old_player AND tables.state = 'accepted'
    UNION ALL
    SELECT pgh_id::text, pgh_context_id, pgh_created_at,
        CASE WHEN pgh_label = 'insert' THEN 'evening_planned'
            WHEN state = old_state THEN 'evening_changed'
            WHEN state = 'open' AND old_state = 'planned' THEN 'evening_opened'
            WHEN state = 'open' THEN 'evening_reopened'
            WHEN state = 'closed' THEN 'evening_closed'
            WHEN state = 'cancelled' THEN 'evening_cancelled'
            ELSE 'evening_changed' END,
        club_id, evenings.season_id, pgh_obj_id, NULL, NULL, NULL, NULL, pgh_obj_id, '', '{}'
    FROM evenings JOIN places ON places.evening_id = pgh_obj_id
    WHERE pgh_label = 'insert'
        OR pgh_label = 'update' AND (state <> old_state OR shown IS DISTINCT FROM old_shown)
    UNION ALL
    SELECT pgh_id::text, pgh_context_id, pgh_created_at,
        CASE WHEN pgh_label = 'insert' THEN 'checked_in' WHEN pgh_label = 'delete' THEN 'checked_out'
            WHEN paid > old_paid THEN 'fee_paid' WHEN paid < old_paid THEN 'fee_unpaid' ELSE 'check_in_changed' END,
        club_id, season_id, evening_id, NULL, NULL, NULL, player_id, player_id, '', '{}'
    FROM attendances JOIN places USING (evening_id)
    UNION ALL
    SELECT pgh_id::text, pgh_context_id, pgh_created_at,
        CASE WHEN pgh_label = 'delete' THEN 'season_deleted' WHEN pgh_label = 'insert' THEN 'season_created'
            WHEN state = 'open' AND old_state = 'draft' THEN 'season_opened'
            WHEN state = 'open' AND old_state = 'closed' THEN 'season_reopened'
            WHEN state = 'closed' AND old_state <> 'closed' THEN 'season_closed'
            WHEN house_rules <> old_house_rules THEN 'house_rules_changed'
            WHEN standings_rules <> old_standings_rules THEN 'standings_rules_changed'
            ELSE 'season_changed' END,
        club_id, pgh_obj_id, NULL, NULL, NULL, NULL, NULL, pgh_obj_id, '', jsonb_build_object('name', name)::text
    FROM seasons WHERE of_club IS NULL OR club_id = of_club
    UNION ALL
    SELECT pgh_id::text, pgh_context_id, pgh_created_at, 'points_adjusted',
        club_id, season.id, NULL, NULL, NULL, NULL, event.player_id, event.player_id, event.reason, '{}'
    FROM league_adjustmentevent event JOIN league_season season ON season.id = event.season_id
    WHERE of_club IS NULL OR club_id = of_club
    UNION ALL
    SELECT pgh_id::text, pgh_context_id, pgh_created_at,
        CASE pgh_label WHEN 'insert' THEN 'member_added' WHEN 'delete' THEN 'member_removed' ELSE 'role_changed' END,
        club_id, NULL, NULL, NULL, NULL, NULL, player_id, player_id, '', jsonb_build_object('role', role)::text
    FROM memberships
    WHERE (of_club IS NULL OR club_id = of_club) AND (pgh_label <> 'update' OR role <> old_role)
    UNION ALL
    SELECT pgh_id::text, pgh_context_id, pgh_created_at,
        CASE WHEN pgh_label = 'insert' THEN 'club_founded'
            WHEN asks_second_factor <> old_asks THEN 'second_factor_asked' ELSE 'club_changed' END,
        pgh_obj_id, NULL, NULL, NULL, NULL, NULL, NULL, pgh_obj_id, '', jsonb_build_object('name', name)::text
    FROM clubs
    WHERE (of_club IS NULL OR pgh_obj_id = of_club) AND pgh_label <> 'delete'
        AND (pgh_label = 'insert' OR delete_at IS NOT DISTINCT FROM old_delete_at)
), told AS (
    SELECT changes.*, coalesce(context.metadata, '{}') AS metadata,
        coalesce(context.metadata->>'reason', '') IN ('a list of people', 'a list of results') AS is_list
    FROM changes LEFT JOIN pghistory_context context ON context.id = changes.context
    WHERE NOT (
        event IN ('seats_changed', 'checked_in', 'checked_out', 'check_in_changed', 'fee_paid', 'fee_unpaid',
            'points_adjusted')
        AND EXISTS (
            SELECT FROM league_auditentry merge
            WHERE merge.context_id = changes.context AND merge.event IN ('merged', 'unmerged')
        )
    )
), entries AS (
    SELECT told.*,
        CASE WHEN NOT is_list THEN event
            WHEN event IN ('deal_recorded', 'totals_recorded') THEN 'results_imported'
            WHEN event = 'member_added' THEN 'people_imported'
            ELSE event END AS logged
    FROM told
    WHERE NOT (is_list AND event IN ('evening_planned', 'evening_closed', 'evening_changed', 'checked_in'))
)
INSERT INTO league_auditentry (logged_at, event, user_id, author_id, address, club_id, season_id, evening_id, round_id,
    table_id, deal_id, player_id, count, reason, params, context_id)
SELECT max(at), logged, (metadata->>'user')::bigint, (metadata->>'player')::bigint,
    coalesce(metadata->>'address', ''), club,
    CASE WHEN min(season) = max(season) THEN min(season) END,
    CASE WHEN min(evening) = max(evening) THEN min(evening) END,
    CASE WHEN min(round) = max(round) THEN min(round) END,
    CASE WHEN min(play) = max(play) THEN min(play) END,
    CASE WHEN min(deal) = max(deal) THEN min(deal) END,
    CASE WHEN min(player) = max(player) THEN min(player) END,
    count(DISTINCT unit),
    CASE WHEN metadata->>'reason' IN ('a list of people', 'a list of results', 'erased', 'erased before the restore',
            'taken back', 'two people after all', 'two records of one person') THEN ''
        ELSE coalesce(metadata->>'reason', min(words), '') END,
    params::jsonb || CASE WHEN metadata ? 'elsewhere' THEN '{"elsewhere": true}' ELSE '{}' END::jsonb, context
FROM entries
GROUP BY coalesce(context::text, key), context, metadata, club, logged,
    CASE WHEN is_list THEN '{}' ELSE params END, params
ORDER BY 1;

INSERT INTO league_auditentry (logged_at, event, user_id, author_id, player_id, club_id, season_id, evening_id, round_id,
    table_id, deal_id, address, count, reason, params)
SELECT entry.at, entry.event, entry.user_id, entry.author_id, contest.player_id, season.club_id, season.id, evening.id,
    round.id, play.id, deal.id, '', 1, entry.words, '{}'
FROM league_contest contest
JOIN league_deal deal ON deal.id = contest.deal_id
JOIN league_table play ON play.id = deal.table_id
JOIN league_round round ON round.id = play.round_id
JOIN league_evening evening ON evening.id = round.evening_id
JOIN league_season season ON season.id = evening.season_id
CROSS JOIN LATERAL (VALUES
    (raised_at, 'deal_contested', NULL::bigint, contest.player_id, contest.reason),
    (answered_at, 'contest_answered', answered_by_id, NULL, contest.answer)
) AS entry (at, event, user_id, author_id, words)
WHERE entry.at IS NOT NULL AND (of_club IS NULL OR season.club_id = of_club)
ORDER BY 1;
    PERFORM set_config('league.audit_log_changes', '', true);
END $function$;

CREATE FUNCTION league_audit_remove_addresses(before timestamp with time zone)
RETURNS void
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM set_config('league.audit_log_changes', 'on', true);
    UPDATE league_auditentry SET address = '' WHERE logged_at < before AND address <> '';
    UPDATE pghistory_context SET metadata = metadata - 'address' WHERE created_at < before AND metadata ? 'address';
    PERFORM set_config('league.audit_log_changes', '', true);
END $function$;

CREATE FUNCTION league_club_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(c.id, 0) AS club FROM changed c ) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_club_ends()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_ending('club', OLD.id, 0, '');
    RETURN NULL;
END $function$;

CREATE FUNCTION league_clubgame_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(rows.club) FROM (SELECT DISTINCT club_id AS club FROM changed) rows;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_clubmark_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(c.club_id, 0) AS club FROM changed c ) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_contest_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_deal d ON d.id = c.deal_id LEFT JOIN league_table t ON t.id = d.table_id LEFT JOIN league_round r ON r.id = t.round_id LEFT JOIN league_evening e ON e.id = r.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_deal_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_table t ON t.id = c.table_id LEFT JOIN league_round r ON r.id = t.round_id LEFT JOIN league_evening e ON e.id = r.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_due_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(CASE WHEN c.season_id IS NULL THEN -1 ELSE s.club_id END, 0) AS club FROM changed c LEFT JOIN league_season s ON s.id = c.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_evening_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_season s ON s.id = c.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_houseruleschange_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_season s ON s.id = c.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_intention_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_evening e ON e.id = c.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_letters_end()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_ending('letters', NEW.user_id, 0, coalesce(
        (SELECT string_agg(kind, ' ' ORDER BY kind) FROM league_letterchoice WHERE user_id = NEW.user_id AND NOT wanted), ''));
    RETURN NULL;
END $function$;

CREATE FUNCTION league_login_ends()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE FUNCTION league_membership_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(c.club_id, 0) AS club FROM changed c ) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_rest_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_round r ON r.id = c.round_id LEFT JOIN league_evening e ON e.id = r.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_role_begins()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE league_ending SET id = gen_random_uuid(), remains = NEW.role, ended_at = clock_timestamp(), kept = false
    WHERE kind = 'role' AND subject = NEW.player_id AND club = NEW.club_id AND remains <> NEW.role;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_role_ends()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    IF NOT EXISTS (SELECT FROM league_merge WHERE gone_id = OLD.player_id AND undone_at IS NULL) THEN
        PERFORM league_note_ending('role', OLD.player_id, OLD.club_id, coalesce(
            (SELECT role FROM league_membership WHERE club_id = OLD.club_id AND player_id = OLD.player_id), ''));
    END IF;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_round_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_evening e ON e.id = c.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_rulesdraft_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_season s ON s.id = c.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_score_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_deal d ON d.id = c.deal_id LEFT JOIN league_table t ON t.id = d.table_id LEFT JOIN league_round r ON r.id = t.round_id LEFT JOIN league_evening e ON e.id = r.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_season_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(c.club_id, 0) AS club FROM changed c ) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_seasonclosing_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_season s ON s.id = c.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_seat_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_round r ON r.id = c.round_id LEFT JOIN league_evening e ON e.id = r.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_table_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(found.club)
    FROM (SELECT DISTINCT coalesce(s.club_id, 0) AS club FROM changed c LEFT JOIN league_round r ON r.id = c.round_id LEFT JOIN league_evening e ON e.id = r.evening_id LEFT JOIN league_season s ON s.id = e.season_id) found;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_token_ends()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_ending('token', OLD.id, 0, '');
    RETURN NULL;
END $function$;

CREATE FUNCTION league_tournament_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT club_id AS club FROM changed
        UNION
        SELECT invited.club_id FROM league_tournamentclub invited JOIN changed ON changed.id = invited.tournament_id
        WHERE invited.club_id IS NOT NULL
    ) rows;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_tournamentclub_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT club_id AS club FROM changed WHERE club_id IS NOT NULL
        UNION
        SELECT t.club_id FROM changed c JOIN league_tournament t ON t.id = c.tournament_id
    ) rows;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_tournamentpart_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT DISTINCT t.club_id AS club FROM changed c
        JOIN league_tournamentunit u ON u.id = c.unit_id JOIN league_tournament t ON t.id = u.tournament_id
    ) rows;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_tournamentunit_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(rows.club) FROM (
        SELECT DISTINCT t.club_id AS club FROM changed c JOIN league_tournament t ON t.id = c.tournament_id
    ) rows;
    RETURN NULL;
END $function$;

CREATE FUNCTION league_version_of_all(past timestamp with time zone, near timestamp with time zone)
RETURNS text
LANGUAGE sql
 STABLE
AS $function$
    SELECT md5(string_agg(stamp::text, '' ORDER BY stamp)) || concat(
        ' ', (SELECT min(final_at) FROM league_evening WHERE final_at > past),
        ' ', (SELECT min(not_before) FROM league_due WHERE not_before > near))
    FROM league_clubchange
$function$;

CREATE FUNCTION league_version_of_club(which bigint, past timestamp with time zone, near timestamp with time zone)
RETURNS text
LANGUAGE sql
 STABLE
AS $function$
    SELECT md5(string_agg(stamp::text, '' ORDER BY stamp)) || concat(
        ' ', (SELECT min(final_at) FROM league_evening e JOIN league_season s ON s.id = e.season_id
              WHERE s.club_id = which AND final_at > past),
        ' ', (SELECT min(not_before) FROM league_due d JOIN league_season s ON s.id = d.season_id
              WHERE s.club_id = which AND not_before > near))
    FROM league_clubchange WHERE club = which OR club = 0
$function$;

CREATE FUNCTION league_watching_ends()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_ending('watched', NEW.id, 0, NEW.live_version::text);
    RETURN NULL;
END $function$;

CREATE FUNCTION league_whole_changed()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM league_note_change(TG_ARGV[0]::bigint);
    RETURN NULL;
END $function$;

CREATE TRIGGER note_delete AFTER DELETE ON league_adjustment REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_adjustment_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_adjustment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_adjustment_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_adjustment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_adjustment_changed();
CREATE TRIGGER token_ends AFTER DELETE ON league_apitoken FOR EACH ROW EXECUTE FUNCTION league_token_ends();
CREATE TRIGGER note_delete AFTER DELETE ON league_attendance REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_attendance_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_attendance REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_attendance_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_attendance REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_attendance_changed();
CREATE TRIGGER club_ends AFTER DELETE ON league_club FOR EACH ROW EXECUTE FUNCTION league_club_ends();
CREATE TRIGGER note_delete AFTER DELETE ON league_club REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_club_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_club REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_club_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_club REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_club_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_clubgame REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_clubgame_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_clubgame REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_clubgame_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_clubgame REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_clubgame_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_clubmark REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_clubmark_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_clubmark REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_clubmark_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_clubmark REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_clubmark_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_contest REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_contest_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_contest REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_contest_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_contest REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_contest_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_deal REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_deal_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_deal REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_deal_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_deal REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_deal_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_due REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_due_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_due REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_due_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_due REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_due_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_evening REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_evening_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_evening REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_evening_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_evening REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_evening_changed();
CREATE TRIGGER watching_ends AFTER UPDATE OF live_version ON league_evening FOR EACH ROW WHEN ((new.live_version > old.live_version)) EXECUTE FUNCTION league_watching_ends();
CREATE TRIGGER note_delete AFTER DELETE ON league_finals REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentunit_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_finals REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentunit_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_finals REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentunit_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_forfeit REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentpart_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_forfeit REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentpart_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_forfeit REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentpart_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_houseruleschange REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_houseruleschange_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_houseruleschange REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_houseruleschange_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_houseruleschange REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_houseruleschange_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_intention REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_intention_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_intention REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_intention_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_intention REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_intention_changed();
CREATE TRIGGER letters_end AFTER INSERT OR UPDATE ON league_letterchoice FOR EACH ROW EXECUTE FUNCTION league_letters_end();
CREATE TRIGGER note_delete AFTER DELETE ON league_membership REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_membership_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_membership REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_membership_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_membership REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_membership_changed();
CREATE TRIGGER role_begins AFTER INSERT ON league_membership FOR EACH ROW EXECUTE FUNCTION league_role_begins();
CREATE CONSTRAINT TRIGGER role_changes AFTER UPDATE OF role ON league_membership DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.role)::text IS DISTINCT FROM (new.role)::text)) EXECUTE FUNCTION league_role_ends();
CREATE CONSTRAINT TRIGGER role_ends AFTER DELETE ON league_membership DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION league_role_ends();
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON league_playerstatistics FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER note_delete AFTER DELETE ON league_rest REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_rest_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_rest REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_rest_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_rest REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_rest_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_round REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_round_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_round REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_round_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_round REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_round_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_rulesdraft REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_rulesdraft_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_rulesdraft REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_rulesdraft_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_rulesdraft REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_rulesdraft_changed();
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON league_run FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('-1');
CREATE TRIGGER note_delete AFTER DELETE ON league_score REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_score_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_score REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_score_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_score REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_score_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_season REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_season_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_season REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_season_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_season REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_season_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_seasonclosing REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_seasonclosing_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_seasonclosing REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_seasonclosing_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_seasonclosing REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_seasonclosing_changed();
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON league_seasonrecord FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER note_delete AFTER DELETE ON league_seat REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_seat_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_seat REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_seat_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_seat REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_seat_changed();
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON league_standing FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER note_delete AFTER DELETE ON league_table REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_table_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_table REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_table_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_table REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_table_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_tournament REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournament_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_tournament REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournament_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_tournament REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournament_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_tournamentclub REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentclub_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_tournamentclub REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentclub_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_tournamentclub REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentclub_changed();
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON league_tournamentrank FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER note_delete AFTER DELETE ON league_tournamentunit REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentunit_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_tournamentunit REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentunit_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_tournamentunit REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentunit_changed();
CREATE TRIGGER note_delete AFTER DELETE ON league_unitplayer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentpart_changed();
CREATE TRIGGER note_insert AFTER INSERT ON league_unitplayer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentpart_changed();
CREATE TRIGGER note_update AFTER UPDATE ON league_unitplayer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION league_tournamentpart_changed();
CREATE TRIGGER act_stays BEFORE DELETE OR UPDATE ON pghistory_context FOR EACH ROW EXECUTE FUNCTION league_act_stays();
CREATE TRIGGER note_change AFTER DELETE OR UPDATE ON players_player FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON players_rating FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON players_ratingrules FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON players_ratingstep FOR EACH STATEMENT EXECUTE FUNCTION league_whole_changed('0');
CREATE TRIGGER login_ends AFTER DELETE OR UPDATE OF is_active, is_staff, is_superuser, calendar_key ON players_user FOR EACH ROW EXECUTE FUNCTION league_login_ends();
