"""The functions that may change the audit log, and the one that fills it from the history of facts."""

from django.db import migrations

# Set in the body: only a superuser may create a function with SET of a parameter that PostgreSQL does not know.
CHANGES = """
CREATE FUNCTION league_audit_remove_addresses(before timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('league.audit_log_changes', 'on', true);
    UPDATE league_auditentry SET address = '' WHERE logged_at < before AND address <> '';
    UPDATE pghistory_context SET metadata = metadata - 'address' WHERE created_at < before AND metadata ? 'address';
    PERFORM set_config('league.audit_log_changes', '', true);
END $$;

CREATE FUNCTION league_audit_erase_user(erased bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('league.audit_log_changes', 'on', true);
    UPDATE pghistory_context SET metadata = metadata - 'address'
    FROM league_auditentry entry
    WHERE entry.context_id = pghistory_context.id AND entry.user_id = erased AND metadata ? 'address';
    UPDATE league_auditentry SET address = '' WHERE user_id = erased AND address <> '';
    PERFORM set_config('league.audit_log_changes', '', true);
END $$;

CREATE FUNCTION league_audit_delete_club(deleted bigint) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;
"""

# A club's history, or with NULL that of all clubs. What one request or list wrote of one kind is one entry.
LOG_HISTORY = """
CREATE FUNCTION league_audit_log_history(of_club bigint) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;
"""

# What acts say, which the log replaces.
LOG_ACTS = """
SET LOCAL league.audit_log_changes = 'on';
WITH acts AS (
    SELECT act.*, coalesce(context.metadata, '{}') AS metadata,
        coalesce(act.user_id, (context.metadata->>'user')::bigint) AS by,
        act.kind = 'details' AND coalesce(context.metadata->>'reason' IN ('a list of people', 'a list of results'),
            false) AS is_list
    FROM league_act act LEFT JOIN pghistory_context context ON context.id = act.context_id
)
INSERT INTO league_auditentry (logged_at, event, user_id, author_id, address, club_id, season_id, evening_id, round_id,
    player_id, count, reason, params, context_id)
SELECT max(at),
    CASE WHEN is_list THEN 'people_imported' ELSE (
        '{"signed in": "signed_in", "invited": "invited", "exported": "exported", "erased": "erased",
          "merged": "merged", "parted": "unmerged", "details": "details_changed", "account": "account_deleted",
          "agreed": "login_agreed", "drawn": "draw_accepted", "to delete": "deletion_asked",
          "kept": "deletion_cancelled", "deleted": "club_deleted"}'::jsonb ->> kind) END,
    by, CASE WHEN kind = 'account' THEN min(acts.player_id) END, coalesce(metadata->>'address', ''), acts.club_id,
    evening.season_id, round.evening_id, acts.round_id,
    CASE WHEN min(acts.player_id) = max(acts.player_id) THEN min(acts.player_id) END, count(*),
    CASE WHEN kind IN ('merged', 'parted') AND metadata->>'reason' NOT IN ('two records of one person',
        'two people after all') THEN coalesce(metadata->>'reason', '') ELSE '' END,
    CASE WHEN kind = 'exported' THEN jsonb_build_object('what', about)
        WHEN kind IN ('to delete', 'kept', 'deleted') THEN jsonb_build_object('name', about)
        WHEN kind = 'signed in' THEN jsonb_build_object('clubs', coalesce(staff.clubs, '[]'))
        ELSE '{}' END,
    context_id
FROM acts
LEFT JOIN league_round round ON round.id = acts.round_id
LEFT JOIN league_evening evening ON evening.id = round.evening_id
LEFT JOIN LATERAL (
    SELECT jsonb_agg(club_id) AS clubs FROM (
        SELECT DISTINCT ON (club_id) club_id, role, pgh_label
        FROM league_membershipevent event JOIN players_player player ON player.id = event.player_id
        WHERE player.user_id = acts.by AND event.pgh_created_at <= acts.at
        ORDER BY club_id, pgh_id DESC
    ) latest WHERE pgh_label <> 'delete' AND role IN ('treasurer', 'secretary', 'admin')
) staff ON kind = 'signed in'
GROUP BY CASE WHEN is_list THEN context_id::text ELSE acts.id::text END, is_list, kind, by, metadata, acts.club_id,
    evening.season_id, round.evening_id, acts.round_id, about, staff.clubs, context_id
ORDER BY 1;
SELECT league_audit_log_history(NULL);
"""

UNDO = """
DROP FUNCTION league_audit_log_history(bigint);
DROP FUNCTION league_audit_delete_club(bigint);
DROP FUNCTION league_audit_erase_user(bigint);
DROP FUNCTION league_audit_remove_addresses(timestamptz);
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0058_audit_log")]

    operations = [
        migrations.RunSQL(CHANGES + LOG_HISTORY, UNDO),
        migrations.RunSQL(LOG_ACTS, migrations.RunSQL.noop),
    ]
