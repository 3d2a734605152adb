from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, pending_recomputes, people
from league.actions.attendance import add_attendances
from league.actions.clubs import lock_club
from league.actions.imports import ReportProgress, ignore_progress
from league.actions.refusals import WrongState, check_no_tournament
from league.actions.rests import update_rest_points
from league.actions.seasons import lock_editable_season
from league.imports.queries.import_plan import (
    ImportPlan,
    ListedTable,
    ParsedDeal,
    PlannedTable,
    TableOutcome,
    plan_import,
)
from league.imports.queries.listed_people import PersonKey
from league.messages import send_tick
from league.models import Club, Deal, Evening, ListColumns, PendingRecompute, Round, Score, Season, Seat, Table
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.history import history_reason
from league.models.list_columns import MAX_STORED_COLUMNS
from league.models.round import RoundState
from league.models.season import SeasonState
from league.sheets.queries.deal_scores import results_of_deal, score_deals
from league.sheets.queries.table_sums import compute_table_state
from scoring.rules.errors import IllegalDeal

DEFAULT_BEGINNING_TIME: Final = time(20)  # local time of an evening, if neither it nor the club has a time
TABLES_AT_ONCE: Final = 50  # number of tables that are stored between two reports of progress


class AnswersMissing(ValueError):
    """For some lines of the imported list, the user must still choose whether the person is a member.

    `plan` has all lines of the list. Nothing was stored.
    """

    def __init__(self, plan: ImportPlan) -> None:
        super().__init__(plan)
        self.plan = plan


@transaction.atomic
def import_results(
    season: Season,
    read: Callable[[Season], Sequence[ListedTable]],
    answers: Mapping[int, str],
    *,
    now: datetime,
    accept_other_points: bool = False,
    report: ReportProgress = ignore_progress,
) -> ImportPlan:
    """Import a list of results into an open season; return the outcome of each table and person of the list.

    `read` returns the tables of the list; it is called with the season locked. `answers` are the user's choices for
    names that resemble a member's name. Imported evenings are closed and final; a planned evening on the date is used.
    Unknown people become members. Invalid tables are skipped, and a repeated import changes nothing. With
    `accept_other_points`, a table is imported even if its deals give other points than the list; the points by the
    rules are stored. The season must be fetched with its club. Raise AnswersMissing or WrongState.
    """
    with lock_club(season.club), history_reason("a list of results"):
        as_locked = lock_editable_season(season.pk)
        if as_locked.state != SeasonState.OPEN:
            raise WrongState(_("The season is not open."))
        check_no_tournament(as_locked)
        as_locked.club = season.club
        today = now.astimezone(season.club.zone).date()
        results = plan_import(as_locked, read(as_locked), answers, today, accept_other_points=accept_other_points)
        if results.with_outcome(TableOutcome.UNANSWERED):
            raise AnswersMissing(results)
        new_tables = results.with_outcome(TableOutcome.NEW)
        if new_tables:
            players = _add_players(as_locked, new_tables, results)
            _write_evenings(as_locked, new_tables, players, now, report)
            first = min(table.day for table in new_tables if table.day)
            audit.log(AuditEvent.RESULTS_IMPORTED, as_locked, count=len(new_tables))
            pending_recomputes.mark_season(as_locked, not_before=now, why=PendingRecompute.Reason.TOTALS)
            pending_recomputes.mark_game(as_locked.game_key, first, not_before=now, why=PendingRecompute.Reason.TOTALS)
            transaction.on_commit(send_tick)
        return results


@transaction.atomic
def remember_columns(club: Club, kind: str, columns: Mapping[str, str]) -> None:
    """Store the meanings of column headings, for the club's next list of this `kind`, such as "totals".

    If the club would have more than MAX_STORED_COLUMNS headings, only the headings of this list are stored.
    """
    stored: ListColumns | None = ListColumns.objects.filter(club=club, kind=kind).first()
    merged = {**(stored.columns if stored else {}), **columns}
    if len(merged) > MAX_STORED_COLUMNS:
        merged = dict(columns)
    if stored is None or merged != stored.columns:
        ListColumns.objects.update_or_create(club=club, kind=kind, defaults={"columns": merged})


def _add_players(season: Season, tables: Iterable[PlannedTable], plan: ImportPlan) -> dict[PersonKey, int]:
    """Add the unknown people of the tables to the club; return the player's id of each person of the tables."""
    seated = {seat.person.key for table in tables for seat in table.seats}
    keys = [key for key in plan.people if key in seated]
    lines = people.store_listed_people(season.club, [plan.people[key] for key in keys])
    return {key: line.membership.player_id for key, line in zip(keys, lines, strict=True) if line.membership}


def _write_evenings(
    season: Season,
    tables: Sequence[PlannedTable],
    players: Mapping[PersonKey, int],
    now: datetime,
    report: ReportProgress,
) -> None:
    evenings = _get_or_create_closed_evenings(season, {table.day for table in tables if table.day}, now)
    rounds = _get_or_create_rounds(evenings, tables)
    for begin in range(0, len(tables), TABLES_AT_ONCE):
        report(begin, len(tables))
        _write_tables(season, rounds, tables[begin : begin + TABLES_AT_ONCE], players)
    report(len(tables), len(tables))
    update_rest_points(round__evening__in=evenings.values())
    players_of_day: dict[date, set[int]] = defaultdict(set)
    for day_table in tables:
        assert day_table.day
        players_of_day[day_table.day] |= {players[listed_seat.person.key] for listed_seat in day_table.seats}
    for day, players_present in players_of_day.items():
        add_attendances(evenings[day], players_present, is_import=True)


def _write_tables(
    season: Season,
    rounds: Mapping[tuple[date, int], Round],
    tables: Sequence[PlannedTable],
    players: Mapping[PersonKey, int],
) -> None:
    new_tables = [_new_table(season, rounds, planned_table) for planned_table in tables]
    seats = [_new_seats(table, planned_table, players) for table, planned_table in zip(new_tables, tables, strict=True)]
    for table, table_seats, planned_table in zip(new_tables, seats, tables, strict=True):
        _complete_table(table, table_seats, len(planned_table.parsed_deals))
    Table.objects.bulk_create(new_tables)
    Seat.objects.bulk_create(seat for table_seats in seats for seat in table_seats)
    _write_deals(
        (table, table_seats, planned_table.parsed_deals)
        for table, table_seats, planned_table in zip(new_tables, seats, tables, strict=True)
    )


def _new_seats(table: Table, planned_table: PlannedTable, players: Mapping[PersonKey, int]) -> list[Seat]:
    """Return unsaved seats of an unsaved table, with the points of the list."""
    season = table.round.evening.season
    deals_written = max(1, planned_table.deals * table.players_of_deal // table.size)
    seats = []
    for number, listed_seat in enumerate(planned_table.seats):
        seat = Seat(
            table=table,
            round=table.round,
            number=number,
            player_id=players[listed_seat.person.key],
            points=season.convert_points(listed_seat.points),
        )
        if planned_table.parsed_deals:
            seat.deals = listed_seat.deals or 0
        else:
            seat.written, seat.written_deals, seat.deals = listed_seat.points, deals_written, deals_written
        seats.append(seat)
    return seats


def _complete_table(table: Table, seats: Sequence[Seat], recorded: int) -> None:
    """Set the fields that follow from the deals or totals. If deals are missing, the table counts as finished early."""
    table.recorded, table.deals, table.complete = compute_table_state(table, seats, recorded)
    if not table.complete:
        table.finished = True
        table.recorded, table.deals, table.complete = compute_table_state(table, seats, recorded)


def _write_deals(tables: Iterable[tuple[Table, Sequence[Seat], Sequence[ParsedDeal]]]) -> None:
    deals: list[Deal] = []
    scores: list[Score] = []
    for table, seats, read_deals in tables:
        of_table = [
            Deal(table=table, number=number, facts=read.facts, rests=list(read.rests), client_key=uuid4())
            for number, read in enumerate(read_deals, 1)
        ]
        for deal, played in score_deals(table, of_table):
            if isinstance(played, IllegalDeal):
                raise played
            derived = results_of_deal(deal, seats, played)
            deal.doubted = derived.doubted
            deals.append(deal)
            scores += derived.scores
    Deal.objects.bulk_create(deals)
    Score.objects.bulk_create(scores)


def _get_or_create_closed_evenings(season: Season, days: Iterable[date], now: datetime) -> dict[date, Evening]:
    """Return an evening for each day. Evenings that are not closed are closed at the end of their day."""
    evenings = {evening.date: evening for evening in season.evenings.not_cancelled().filter(date__in=days)}
    for day in sorted(days):
        evening = evenings.setdefault(day, Evening(season=season, date=day))
        evening.season = season
        if evening.state != EveningState.CLOSED:
            begins = evening.begins_at or season.club.begins_at or DEFAULT_BEGINNING_TIME
            evening.opened_at = min(now, datetime.combine(day, begins, season.club.zone))
            evening.closed_at = evening.final_at = min(now, datetime.combine(day, time.max, season.club.zone))
            evening.state = EveningState.CLOSED
            evening.save()
            evening.rounds.planned().delete()
    return evenings


def _get_or_create_rounds(
    evenings: Mapping[date, Evening], tables: Iterable[PlannedTable]
) -> dict[tuple[date, int], Round]:
    """Return the rounds of the evenings by day and number. Create missing rounds as accepted rounds."""
    keys = {(table.day, table.round) for table in tables if table.day}
    rounds = {
        (round_.evening.date, round_.number): round_
        for round_ in Round.objects.filter(evening__in=evenings.values()).with_evening()
    }
    missing = sorted(keys - rounds.keys())
    new = Round.objects.bulk_create(
        Round(evening=evenings[day], number=number, state=RoundState.ACCEPTED) for day, number in missing
    )
    return rounds | dict(zip(missing, new, strict=True))


def _new_table(season: Season, rounds: Mapping[tuple[date, int], Round], planned_table: PlannedTable) -> Table:
    """Return an unsaved table without the fields that follow from its deals or totals."""
    assert planned_table.day
    size = len(planned_table.seats)
    round_ = rounds[planned_table.day, planned_table.round]
    return Table(round=round_, number=planned_table.number, size=size, one_rests=size == season.resting_size)
