"""The database refuses each row that breaks a constraint, by the constraint's name."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import CompositePrimaryKey, F, Model

from league.models import (
    ApiToken,
    ApiWrite,
    Attendance,
    AuditEntry,
    Check,
    Club,
    ClubChange,
    ClubGame,
    ClubMark,
    Contest,
    Deal,
    DemoInstallation,
    Evening,
    Finals,
    FinalsGame,
    FinalsUnit,
    Intention,
    Job,
    ListColumns,
    Membership,
    Merge,
    Notification,
    NotificationChoice,
    PendingRecompute,
    PlayerStatistics,
    PrizeCategoryMember,
    Rest,
    Revocation,
    Round,
    RulesDraft,
    Run,
    Score,
    Season,
    SeasonClosing,
    SeasonRecord,
    Seat,
    Separation,
    Standing,
    Table,
    Team,
    TeamMember,
    Tournament,
    TournamentPreset,
    TournamentRank,
    TournamentUnit,
    Webhook,
)
from league.models.club_mark import MAX_LOGO_BYTES
from league.models.notification import AccountNotificationKind, NotificationKind, NotificationState
from league.models.revocation import RevocationKind
from league.models.webhook import TEST_EVENT, WebhookEvent
from players.models import FirstMeeting, Player, Rating, RatingDay, RatingRules, RatingStep, User
from tests.build import (
    NOW,
    a_club,
    a_club_game,
    a_deal,
    a_player,
    a_season,
    a_table,
    a_tournament,
    a_unit,
    a_user,
    a_webhook,
    an_evening,
    an_invitation,
    some_prizes,
)

KEY = UUID(int=7)
HOOK = "https://club.example/hook"
DAY = date(2026, 10, 2)
RATING = {
    "micro": 0,
    "weight": 0,
    "tables": 0,
    "dates": 0,
    "opponents": 0,
}


@dataclass(frozen=True)
class World:
    """An open evening: a table of four with one deal, a second table in the same round, an empty second round."""

    club: Club
    season: Season
    evening: Evening
    table: Table
    other: Table
    later: Round
    deal: Deal
    players: list[Player]


@pytest.fixture
def world(db: None) -> World:
    club = a_club()
    evening = an_evening(a_season(club))
    players = sorted((a_player() for _ in range(4)), key=lambda player: player.pk)
    table = a_table(evening, players)
    return World(
        club=club,
        season=evening.season,
        evening=evening,
        table=table,
        other=a_table(evening),
        later=Round.objects.create(evening=evening, number=2),
        deal=a_deal(table),
        players=players,
    )


def set_on(row: Model, **fields: Any) -> None:
    type(row)._default_manager.filter(pk=row.pk).update(**fields)


def a_tournament_with_prizes(world: World) -> Tournament:
    a_unit(tournament := a_tournament(world.club))
    some_prizes(tournament)
    return tournament


def seat(world: World, **fields: Any) -> None:
    Seat.objects.create(
        **{"table": world.table, "round": world.table.round, "number": 9, "player": a_player()} | fields
    )


def finals(world: World, **fields: Any) -> Finals:
    row: Finals = Finals.objects.create(
        **{"tournament": a_tournament(world.club), "form": "knockout", "games_to_win": 1} | fields
    )
    return row


def finals_unit(row: Finals, **fields: Any) -> FinalsUnit:
    return FinalsUnit.objects.create(**{"finals": row, "unit": a_unit(row.tournament), "seed": 1} | fields)


def finals_game(row: Finals, table: Table, **fields: Any) -> FinalsGame:
    values: dict[str, Any] = {"finals": row, "table": table, "bracket": "main", "stage": 1, "index": 0}
    return FinalsGame.objects.create(**values | fields)


def tournament_rank(unit: TournamentUnit, **fields: Any) -> TournamentRank:
    values: dict[str, Any] = {"unit": unit, "rank": 1, "score_halves": 0, "competitors": 1}
    row: TournamentRank = TournamentRank.objects.create(tournament=unit.tournament, **values | fields)
    return row


def a_job(**fields: Any) -> Job:
    job: Job = Job.objects.create(kind="backup", created_at=NOW, due_at=NOW, **fields)
    return job


def deal(world: World, **fields: Any) -> None:
    Deal(**{"table": world.table, "number": 2, "facts": {}, "client_key": KEY} | fields).save()


def contest(world: World, **fields: Any) -> Contest:
    return Contest.objects.create(
        **{"deal": world.deal, "player": world.players[0], "reason": "?", "raised_at": NOW} | fields
    )


def a_letter(world: World, reader: User, **fields: Any) -> Notification:
    return Notification.objects.create(
        kind=NotificationKind.PLANNED, reader=reader, club=world.club, subject=7, **fields
    )


def a_run() -> Run:
    return Run.objects.create(trigger=Run.Trigger.NIGHT, started_at=NOW)


def a_stored_token(**fields: Any) -> ApiToken:
    return ApiToken.objects.create(user=a_user(), name="Site", digest="Site", made_at=NOW, **fields)


BREAK: dict[str, Callable[[World], object]] = {
    "apart_lower_id_first": lambda w: Separation.objects.create(club=w.club, first=w.players[1], second=w.players[0]),
    "apart_once_a_club": lambda w: [
        Separation.objects.create(club=w.club, first=w.players[0], second=w.players[1]) for _ in range(2)
    ],
    "api_token_name_once_a_person": lambda w: [
        ApiToken.objects.create(user=user, name=name, digest=name, made_at=NOW)
        for user in [a_user()]
        for name in ("Site", "SITE")
    ],
    "api_token_scopes_are_known": lambda w: a_stored_token(scopes=["own"]),
    "api_token_of_a_club_writes": lambda w: a_stored_token(club=w.club),
    "api_write_key_once_a_token": lambda w: [
        ApiWrite.objects.create(token=token, key="1", made_at=NOW) for token in [a_stored_token()] * 2
    ],
    "attendance_leaves_after_coming": lambda w: w.evening.attendances.update(from_round=3, to_round=2),
    "intention_once_an_evening": lambda w: [
        Intention.objects.create(evening=w.evening, player=w.players[0], comes=comes) for comes in (True, False)
    ],
    "attendance_once_an_evening": lambda w: Attendance.objects.create(evening=w.evening, player=w.players[0]),
    "attendance_partner_is_another": lambda w: w.evening.attendances.update(partner=F("player")),
    "attendance_standing_is_known": lambda w: w.evening.attendances.update(standing="friend"),
    "demo_is_one": lambda _: DemoInstallation.objects.create(pk=2, filled_at=NOW),
    "check_kind_is_known": lambda _: Check.objects.create(kind="wind", ended_at=NOW, ok=True),
    "ending_once": lambda _: [
        Revocation.objects.create(kind=RevocationKind.TOKEN, subject=7, ended_at=NOW) for _ in range(2)
    ],
    "ending_kind_is_known": lambda _: Revocation.objects.create(kind="wind", subject=7, ended_at=NOW),
    "club_game_has_seats": lambda w: set_on(a_club_game(w.club), max_seats=14),
    "club_game_sides_are_equal": lambda w: set_on(a_club_game(w.club), max_seats=5),
    "club_game_has_a_name": lambda w: set_on(a_club_game(w.club), name=""),
    "club_game_check_sum_is_possible": lambda w: set_on(a_club_game(w.club), check_sum=None),
    "club_game_name_once_a_club": lambda w: [
        ClubGame.objects.create(club=w.club, name=name, min_seats=4, max_seats=4) for name in ("Jass", "JASS")
    ],
    "season_of_totals_has_its_game": lambda w: set_on(w.season, game="totals"),
    "club_colour_is_one": lambda w: set_on(w.club, colour="red"),
    "list_columns_once_a_kind": lambda w: [ListColumns.objects.create(club=w.club, kind="totals") for _ in range(2)],
    "mark_digest_is_one": lambda w: ClubMark.objects.create(
        club=w.club, digest="x", content_type="image/webp", data=b"1"
    ),
    "mark_is_small": lambda w: ClubMark.objects.create(
        club=w.club, digest="0" * 64, content_type="image/webp", data=bytes(MAX_LOGO_BYTES + 1)
    ),
    "club_currency_is_a_code": lambda w: set_on(w.club, currency="eur"),
    "club_member_names_is_known": lambda w: set_on(w.club, member_names="pseudonym"),
    "club_public_names_is_known": lambda w: set_on(w.club, public_names="pseudonym"),
    "contest_answered_with_words": lambda w: contest(w, answered_at=NOW),
    "contest_waiting_once_a_player": lambda w: [contest(w) for _ in range(2)],
    "deal_key_once_a_table": lambda w: deal(w, client_key=w.deal.client_key),
    "deal_number_once_a_table": lambda w: deal(w, number=1),
    "deal_of_desk_is_checked": lambda w: set_on(w.deal, checked=False),
    "deal_source_is_known": lambda w: set_on(w.deal, source="phone"),
    "deal_voided_has_no_number": lambda w: set_on(w.deal, voided_at=NOW),
    "due_is_a_season_or_a_game_and_date": lambda w: PendingRecompute.objects.create(
        season=w.season, game="tarot", date=DAY, not_before=NOW
    ),
    "evening_closed_has_its_times": lambda w: set_on(w.evening, state="closed", closed_at=NOW),
    "evening_counts_at_least_once": lambda w: set_on(w.evening, weight=0),
    "evening_in_hall_since": lambda w: set_on(w.evening, hall="out"),
    "evening_one_final": lambda w: [
        Evening.objects.create(season=w.season, date=DAY, season_final=True) for _ in range(2)
    ],
    "hall_copy_key_once_an_evening": lambda w: [w.evening.hall_copies.create(key="k", taken_at=NOW) for _ in range(2)],
    "hall_copy_returns_once": lambda w: [
        w.evening.hall_copies.create(taken_at=NOW, returned_at=NOW, digest="d") for _ in range(2)
    ],
    "hall_copy_returned_with_its_digest": lambda w: w.evening.hall_copies.create(taken_at=NOW, digest="d"),
    "evening_state_is_known": lambda w: set_on(w.evening, state="over"),
    "membership_once_a_club": lambda w: Membership.objects.create(club=w.club, player=w.players[0]),
    "membership_key_once_a_club": lambda w: w.club.memberships.filter(player__in=w.players).update(key=uuid4()),
    "membership_number_once_a_club": lambda w: [
        w.club.memberships.filter(player=player).update(number=number)
        for player, number in zip(w.players, ("a1", "A1"), strict=False)
    ],
    "membership_role_is_known": lambda w: w.club.memberships.update(role="owner"),
    "merge_of_two_records": lambda w: Merge.objects.create(kept=w.players[0], gone=w.players[0], made_at=NOW),
    "merge_once_a_record": lambda w: [
        Merge.objects.create(kept=w.players[0], gone=w.players[1], made_at=NOW) for _ in range(2)
    ],
    "player_member_choice_is_known": lambda w: set_on(w.players[0], member_choice="short"),
    "player_pseudonym_is_there": lambda w: set_on(w.players[0], public_choice="pseudonym"),
    "player_public_choice_is_known": lambda w: set_on(w.players[0], public_choice="short"),
    "met_lower_id_first": lambda w: FirstMeeting.objects.create(
        game="tarot", first=w.players[1], second=w.players[0], date=DAY
    ),
    "met_once_a_game": lambda w: [
        FirstMeeting.objects.create(game="tarot", first=w.players[0], second=w.players[1], date=DAY) for _ in range(2)
    ],
    "movement_is_in_a_season_or_a_game": lambda w: a_run().rank_changes.create(player=w.players[0], before=3),
    "rating_day_once_a_game": lambda _: [
        RatingDay.objects.create(game="tarot", date=DAY, digest=str(number), arithmetic=1) for number in range(2)
    ],
    "rating_once_a_game": lambda w: [
        Rating.objects.create(player=w.players[0], game="tarot", provisional=True, last_date=DAY, **RATING)
        for _ in range(2)
    ],
    "rating_rules_are_known": lambda _: RatingRules.objects.create(game="tarot", rules="other"),
    "league_playerstatistics_pkey": lambda w: [
        PlayerStatistics.objects.create(
            season=w.season,
            player=w.players[0],
            best_deal=w.deal,
            worst_deal=w.deal,
            **dict.fromkeys(("deals", "points", "gained", "best", "worst", "arithmetic"), 1),
        )
        for _ in range(2)
    ],
    "league_seasonrecord_pkey": lambda w: [
        SeasonRecord.objects.create(season=w.season, name="wins", month=DAY, place=1, value=1, shared=1, arithmetic=1)
        for _ in range(2)
    ],
    "league_clubchange_pkey": lambda w: [
        ClubChange.objects.create(club=w.club.pk, transaction=1, at=NOW, stamp=KEY) for _ in range(2)
    ],
    "record_places_from_one": lambda w: SeasonRecord.objects.create(
        season=w.season, name="wins", month=DAY, place=0, value=1, shared=1, arithmetic=1
    ),
    "players_ratingstep_pkey": lambda w: [
        RatingStep.objects.create(player=w.players[0], game="tarot", date=DAY, **RATING) for _ in range(2)
    ],
    "rest_kind_is_known": lambda w: Rest.objects.create(round=w.later, player=w.players[0], kind="away"),
    "rest_once_a_round": lambda w: [Rest.objects.create(round=w.later, player=w.players[0]) for _ in range(2)],
    "rest_points_have_a_reason": lambda w: Rest.objects.create(round=w.later, player=w.players[0], points=3),
    "rest_deals_only_when_scored": lambda w: Rest.objects.create(round=w.later, player=w.players[0], deals=3),
    "rest_score_is_known": lambda w: Rest.objects.create(round=w.later, player=w.players[0], score="half"),
    "rest_score_has_its_number": lambda w: Rest.objects.create(round=w.later, player=w.players[0], score="fixed"),
    "rest_written_in_range": lambda w: Rest.objects.create(
        round=w.later, player=w.players[0], score="fixed", written=100_000
    ),
    "round_number_once_an_evening": lambda w: Round.objects.create(evening=w.evening, number=2),
    "round_numbers_from_one": lambda w: set_on(w.later, number=0),
    "round_state_is_known": lambda w: set_on(w.later, state="over"),
    "run_one_at_a_time": lambda _: [a_run() for _ in range(2)],
    "score_once_a_deal_and_seat": lambda w: Score.objects.create(
        deal=w.deal, seat=w.table.seats.get(number=0), role="", points=0
    ),
    "season_draw_is_known": lambda w: set_on(w.season, draw="swiss"),
    "season_end_has_its_number": lambda w: set_on(w.season, end_number=None),
    "season_team_best_in_range": lambda w: set_on(w.season, team_best=5),
    "team_name_once_a_season": lambda w: [Team.objects.create(season=w.season, name="Reds") for _ in range(2)],
    "team_has_a_name": lambda w: Team.objects.create(season=w.season, name=""),
    "team_member_once_a_season": lambda w: [
        TeamMember.objects.create(
            season=w.season, player=w.players[0], team=Team.objects.create(season=w.season, name=name)
        )
        for name in ("Reds", "Blues")
    ],
    "season_rest_score_is_known": lambda w: set_on(w.season, rest_score="half"),
    "season_rest_score_has_its_number": lambda w: set_on(w.season, rest_score="fixed"),
    "season_has_rounds": lambda w: set_on(w.season, rounds=0),
    "season_leavers_is_known": lambda w: set_on(w.season, leavers="first"),
    "audit_entry_event_is_known": lambda _: AuditEntry.objects.create(event="slept"),
    "letter_once_a_reader": lambda w: [a_letter(w, reader) for reader in [a_user()] * 2],
    "letter_claimed_has_its_time": lambda w: a_letter(w, a_user(), state=NotificationState.SENT),
    "letter_is_of_a_club_or_a_notice": lambda w: Notification.objects.create(
        kind=AccountNotificationKind.TOKEN, reader=a_user(), club=w.club, subject=7
    ),
    "letter_choice_once_a_kind": lambda w: [
        NotificationChoice.objects.create(user=user, kind=NotificationKind.PLANNED, wanted=True)
        for user in [a_user()] * 2
    ],
    "season_closing_has_its_digest": lambda w: SeasonClosing.objects.create(season=w.season, digest="", closed_at=NOW),
    "rules_draft_name_once_a_season": lambda w: [
        RulesDraft.objects.create(season=w.season, name="Sum", rules={}) for _ in range(2)
    ],
    "season_name_once_a_club": lambda w: a_season(w.club, name=w.season.name),
    "season_partners_is_known": lambda w: set_on(w.season, partners="ever"),
    "season_state_is_known": lambda w: set_on(w.season, state="over"),
    "seat_number_once_a_table": lambda w: seat(w, number=0),
    "seat_once_a_round": lambda w: seat(w, table=w.other, player=w.players[0]),
    "seat_written_with_its_deals": lambda w: w.table.seats.update(written=12),
    "standing_denominator_from_one": lambda w: Standing.objects.create(
        season=w.season, player=w.players[0], numerator=0, denominator=0, evenings=0, deals=0, arithmetic=1
    ),
    "standing_once_a_season": lambda w: [
        Standing.objects.create(season=w.season, player=w.players[0], numerator=0, evenings=0, deals=0, arithmetic=1)
        for _ in range(2)
    ],
    "table_number_once_a_round": lambda w: set_on(w.other, number=w.table.number),
    "table_of_two_at_least": lambda w: set_on(w.other, size=1),
    "table_rests_from_four": lambda w: set_on(w.other, size=3, one_rests=True),
    "tournament_once_a_date_and_name": lambda w: [
        Tournament.objects.create(club=w.club, name="Open", date=DAY, closes_at=NOW, places=2) for _ in range(2)
    ],
    "finals_form_is_known": lambda w: finals(w, form="league"),
    "finals_match_has_games": lambda w: finals(w, games_to_win=0),
    "finals_table_has_no_brackets": lambda w: finals(w, form="table", consolation=True),
    "finals_seed_once": lambda w: [finals_unit(row) for row in [finals(w)] * 2],
    "finals_seed_is_possible": lambda w: finals_unit(finals(w), seed=33),
    "finals_game_once": lambda w: [finals_game(row, table) for row in [finals(w)] for table in (w.table, w.other)],
    "finals_bracket_is_known": lambda w: finals_game(finals(w), w.table, bracket="league"),
    "finals_games_count_from_one": lambda w: finals_game(finals(w), w.table, number=0),
    "tournament_state_is_known": lambda w: set_on(a_tournament(w.club), state="over"),
    "tournament_pairing_is_known": lambda w: set_on(a_tournament(w.club), pairing="swiss"),
    "tournament_ranking_is_known": lambda w: set_on(a_tournament(w.club), ranked_by="age"),
    "tournament_tie_breaks_are_known": lambda w: set_on(a_tournament(w.club), ties=["age"]),
    "tournament_unit_has_one_to_four": lambda w: set_on(a_tournament(w.club), unit_size=5),
    "tournament_team_best_is_of_teams": lambda w: set_on(a_tournament(w.club), team_best=2),
    "tournament_club_best_is_positive": lambda w: set_on(a_tournament(w.club), club_best=0),
    "tournament_club_once_a_tournament": lambda w: [
        row.tournament.clubs.create(club=row.club, name="Again") for row in [an_invitation(w.club)]
    ],
    "tournament_club_has_a_name": lambda w: set_on(an_invitation(w.club), name=""),
    "unit_by_club_plays_for_it": lambda w: set_on(a_unit(a_tournament(w.club)), by_club=True),
    "tournament_mates_are_two": lambda w: set_on(a_tournament(w.club), unit_size=1, plays_apart=True),
    "tournament_has_places": lambda w: set_on(a_tournament(w.club), places=1),
    "tournament_has_rounds": lambda w: set_on(a_tournament(w.club), rounds=0),
    "tournament_match_has_games": lambda w: set_on(a_tournament(w.club), games_to_win=0),
    "prize_ties_are_known": lambda w: set_on(a_tournament_with_prizes(w).prize_plan, ties="age"),
    "prize_category_once_a_name": lambda w: a_tournament_with_prizes(w).prize_categories.create(name="Best woman"),
    "prize_category_has_a_name": lambda w: a_tournament_with_prizes(w).prize_categories.update(name=""),
    "prize_category_member_once": lambda w: [
        member.category.members.create(unit=member.unit)
        for member in PrizeCategoryMember.objects.filter(category__tournament=a_tournament_with_prizes(w))
    ],
    "prize_category_member_is_of_unit": lambda w: (
        a_tournament_with_prizes(w) and PrizeCategoryMember.objects.update(position=5)
    ),
    "prize_once_a_line": lambda w: a_tournament_with_prizes(w).prizes.create(line=1, amount=1),
    "prize_ranks_are_in_order": lambda w: a_tournament_with_prizes(w).prizes.filter(line=1).update(first=2),
    "prize_has_amount_or_thing": lambda w: a_tournament_with_prizes(w).prizes.filter(line=1).update(amount=0),
    "prize_worth_is_of_a_thing": lambda w: a_tournament_with_prizes(w).prizes.filter(line=1).update(worth=5),
    "prize_lot_once_a_group": lambda w: [
        tournament.prize_lots.create(competitors=["1", "2"], seed=seed, drawn_at=NOW)
        for tournament in [a_tournament(w.club)]
        for seed in (1, 2)
    ],
    "prize_lot_is_among_two": lambda w: a_tournament(w.club).prize_lots.create(competitors=["1"], seed=1, drawn_at=NOW),
    "tournament_rank_once": lambda w: [tournament_rank(unit) for unit in [a_unit(a_tournament(w.club))] * 2],
    "tournament_rank_is_one_of_the_competitors": lambda w: tournament_rank(a_unit(a_tournament(w.club)), rank=2),
    "tournament_rank_position_is_of_unit": lambda w: tournament_rank(a_unit(a_tournament(w.club)), position=5),
    "prize_receipt_once_a_competitor": lambda w: [
        unit.prize_receipts.create(amount=1, printed_at=NOW) for unit in [a_unit(a_tournament(w.club))] * 2
    ],
    "prize_receipt_is_of_unit": lambda w: a_unit(a_tournament(w.club)).prize_receipts.create(
        position=5, amount=1, printed_at=NOW
    ),
    "prize_receipt_has_a_time": lambda w: a_unit(a_tournament(w.club)).prize_receipts.create(amount=1),
    "unit_once_a_form": lambda w: [
        a_unit(tournament).players.count() and tournament.units.update(client_key=KEY)
        for tournament in [a_tournament(w.club)] * 2
    ],
    "tournament_preset_once_a_name": lambda w: [
        TournamentPreset.objects.create(club=w.club, name=name) for name in ("Village", "VILLAGE")
    ],
    "tournament_preset_has_a_name": lambda w: TournamentPreset.objects.create(club=w.club, name=""),
    "webhook_once_an_address": lambda w: [
        Webhook.objects.create(club=w.club, address=HOOK, events=WebhookEvent.values, created_at=NOW) for _ in range(2)
    ],
    "webhook_events_are_known": lambda w: set_on(a_webhook(w.club), events=["evening.opened"]),
    "webhook_pause_is_known": lambda w: set_on(a_webhook(w.club), paused="today"),
    "webhook_previous_secret_ends": lambda w: set_on(a_webhook(w.club), previous_secret="whsec_"),
    "webhook_delivery_has_its_subject": lambda w: a_webhook(w.club).deliveries.create(
        event=WebhookEvent.EVENING_CLOSED, created_at=NOW
    ),
    "webhook_delivery_state_is_known": lambda w: a_webhook(w.club).deliveries.create(
        event=TEST_EVENT, created_at=NOW, state="lost"
    ),
    "tournament_clock_runs_or_is_paused": lambda w: set_on(a_tournament(w.club), clock_ends_at=NOW, clock_left=9),
    "unit_number_once_a_tournament": lambda w: (
        [a_unit(tournament := a_tournament(w.club)), a_unit(tournament)] and tournament.units.update(number=1)
    ),
    "forfeit_once_a_table_and_unit": lambda w: [
        w.table.forfeits.create(unit=unit) for unit in [a_unit(a_tournament(w.club))] * 2
    ],
    "unit_state_is_known": lambda w: set_on(a_unit(a_tournament(w.club)), state="lost"),
    "unit_payment_has_its_kind": lambda w: set_on(a_unit(a_tournament(w.club)), paid=5),
    "unit_returns_at_most_the_paid": lambda w: set_on(a_unit(a_tournament(w.club)), returned=5),
    "unit_player_once_a_position": lambda w: a_unit(a_tournament(w.club)).players.update(position=1),
    "unit_player_once_a_unit": lambda w: a_unit(a_tournament(w.club)).players.update(player=w.players[0]),
    "unit_player_is_one_of_four": lambda w: a_unit(a_tournament(w.club)).players.filter(position=2).update(position=5),
    "unit_player_has_a_name": lambda w: a_unit(a_tournament(w.club)).players.update(name=""),
    "user_email_once": lambda _: [User.objects.create_user(email) for email in ("A@club.example", "a@club.example")],
    "job_open_once_a_key": lambda _: [a_job() for _ in range(2)],
    "job_state_is_known": lambda _: a_job(state="over", ended_at=NOW),
    "job_ended_has_its_time": lambda _: a_job(state="done"),
    "job_failed_has_its_error": lambda _: a_job(state="failed", ended_at=NOW),
}


@transaction.atomic
def attempt(world: World, write: Callable[[World], object]) -> None:
    """Write it; deferred constraints speak up at once."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    write(world)


def refusal(world: World, write: Callable[[World], object]) -> IntegrityError:
    """Return how the database refuses to write that."""
    with pytest.raises(IntegrityError) as refused:
        attempt(world, write)
    return refused.value


def name_of(refused: IntegrityError) -> str:
    cause = refused.__cause__
    assert isinstance(cause, psycopg.IntegrityError)
    return str(cause.diag.constraint_name)


def test_the_database_refuses_each_by_its_constraint(world: World) -> None:
    """Each attempt is rolled back, so one world serves all."""
    assert {name: name_of(refusal(world, write)) for name, write in BREAK.items()} == {name: name for name in BREAK}


def test_every_constraint_of_every_model_is_broken_above() -> None:
    models = [model for app in ("league", "scoring", "players") for model in apps.get_app_config(app).get_models()]
    keys = {f"{model._meta.db_table}_pkey" for model in models if isinstance(model._meta.pk, CompositePrimaryKey)}
    assert keys | {rule.name for model in models for rule in model._meta.constraints} == set(BREAK)


def test_a_deal_that_stands_has_a_number(world: World) -> None:
    assert name_of(refusal(world, lambda w: set_on(w.deal, number=None))) == "deal_voided_has_no_number"


def test_a_seat_can_not_name_another_round_than_its_tables(world: World) -> None:
    """Without this, one player could have two seats in a round: the second under another round's name."""
    refused = refusal(world, lambda w: seat(w, table=w.other, round=w.later, player=w.players[0]))
    assert name_of(refused) == "seat_in_its_tables_round"


def test_a_table_can_not_leave_its_seats_behind_in_a_round(world: World) -> None:
    assert name_of(refusal(world, lambda w: set_on(w.table, round=w.later))) == "seat_in_its_tables_round"


def test_a_score_stands_only_with_a_deal(world: World) -> None:
    place = world.other.seats.get(number=0)
    assert "deal_id" in str(refusal(world, lambda _: Score.objects.create(seat=place, role="", points=5)))
    unknown = refusal(world, lambda w: Score.objects.create(deal_id=w.deal.pk + 99, seat=place, role="", points=5))
    assert "is not present in table" in str(unknown)


def test_a_seat_with_scores_stays(world: World) -> None:
    """By SQL, as Django's own protection can be got around."""

    def remove(world: World) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM league_seat WHERE table_id = %s", [world.table.pk])

    assert "league_score" in str(refusal(world, remove))
