"""Bringing results of past evenings into a season from a list: tables by totals or deals, whole or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from functools import partial
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import due, people
from league.actions.attendance import put_down
from league.actions.clubs import locked
from league.actions.refusals import WrongState
from league.actions.seasons import lock_unless_closed
from league.imports.queries.listed_deals import ListedDeal, read_tables
from league.imports.queries.listed_people import Person
from league.imports.queries.old_results import (
    ListedSeat,
    ListedTable,
    PlannedResults,
    PlannedTable,
    ReadDeal,
    TableFate,
    in_tables,
    planned_results,
)
from league.messages import send_tick
from league.models import Club, Deal, Due, Evening, ListColumns, Round, Score, Season, Seat, Table
from league.models.evening import EveningState
from league.models.history import because
from league.models.list_columns import MOST_REMEMBERED
from league.models.round import RoundState
from league.models.season import SeasonState
from league.sheets.queries.deal_scores import derived_deal, play_deals
from league.sheets.queries.table_sums import derived_table
from scoring.rules.errors import IllegalDeal

BEGINS: Final = time(20)  # where neither evening nor club says when
TABLES_AT_ONCE: Final = 50  # written before it is told how many there are


Tell = Callable[[int, int], None]  # how many tables are written, of how many


def tell_nobody(done: int, of: int) -> None:
    """Say nothing of how far it is."""


class ResultsUnanswered(ValueError):
    """Some lines ask whether somebody is one of the club's people; nothing was written."""

    def __init__(self, planned: PlannedResults) -> None:
        super().__init__(planned)
        self.planned = planned


def bring_in_results(
    season: Season,
    listed: Sequence[ListedSeat],
    answers: Mapping[int, str],
    *,
    now: datetime,
    tell: Tell = tell_nobody,
) -> PlannedResults:
    """Bring a list of totals into an open season, and return what became of each table; twice changes nothing.

    An evening on a date that has none, or has a planned one, is closed from then on, and final. Who is new becomes a
    member. Tables that are wrong are left out. The season was fetched with its club. Raises ResultsUnanswered while
    somebody has to be asked about, or WrongState.
    """
    return _bring_in(season, lambda _season: in_tables(listed), answers, now=now, tell=tell)


def bring_in_deals(
    season: Season,
    listed: Sequence[ListedDeal],
    answers: Mapping[int, str],
    *,
    now: datetime,
    as_counted: bool = False,
    tell: Tell = tell_nobody,
) -> PlannedResults:
    """Bring a list of deals into an open season, as `bring_in_results` does with totals.

    With `as_counted` tables come in, too, whose deals give other points than the list says.
    """
    tables = partial(read_tables, listed=listed)
    return _bring_in(season, tables, answers, now=now, as_counted=as_counted, tell=tell)


@transaction.atomic
def remember_columns(club: Club, kind: str, columns: Mapping[str, str]) -> None:
    """Keep what the columns of a club's lists of one kind are, by what they are called, beside those of other lists."""
    found: ListColumns | None = ListColumns.objects.filter(club=club, kind=kind).first()
    kept = {**(found.columns if found else {}), **columns}
    if len(kept) > MOST_REMEMBERED:
        kept = dict(columns)
    if found is None or kept != found.columns:
        ListColumns.objects.update_or_create(club=club, kind=kind, defaults={"columns": kept})


@transaction.atomic
def _bring_in(
    season: Season,
    read: Callable[[Season], Sequence[ListedTable]],
    answers: Mapping[int, str],
    *,
    now: datetime,
    as_counted: bool = False,
    tell: Tell,
) -> PlannedResults:
    with locked(season.club), because("a list of results"):
        as_locked = lock_unless_closed(season.pk)
        if as_locked.state != SeasonState.OPEN:
            raise WrongState(_("The season is not open."))
        as_locked.club = season.club
        today = now.astimezone(season.club.zone).date()
        planned = planned_results(as_locked, read(as_locked), answers, today, as_counted=as_counted)
        if planned.of(TableFate.ASKED):
            raise ResultsUnanswered(planned)
        new = planned.of(TableFate.NEW)
        if new:
            players = _players(as_locked, new, planned, answers)
            _write(as_locked, new, players, now, tell)
            first = min(table.day for table in new if table.day)
            due.mark_season(as_locked, not_before=now, why=Due.Why.TOTALS)
            due.mark_game(as_locked.game, first, not_before=now, why=Due.Why.TOTALS)
            transaction.on_commit(send_tick)
        return planned


def _players(
    season: Season, tables: Iterable[PlannedTable], planned: PlannedResults, answers: Mapping[int, str]
) -> dict[Person, int]:
    """Make members of who is new at these tables, and return everybody's player."""
    wanted = {seat.person.who for table in tables for seat in table.seats}
    listed = {who: line.person for who, line in planned.people.items() if who in wanted}
    lines = people.bring_in(season.club, list(listed.values()), answers, may_repeat=True)
    return {who: line.membership.player_id for who, line in zip(listed, lines, strict=True) if line.membership}


def _write(
    season: Season, tables: Sequence[PlannedTable], players: Mapping[Person, int], now: datetime, tell: Tell
) -> None:
    evenings = _evenings(season, {table.day for table in tables if table.day}, now)
    rounds = _rounds(evenings, tables)
    for begin in range(0, len(tables), TABLES_AT_ONCE):
        tell(begin, len(tables))
        _write_tables(season, rounds, tables[begin : begin + TABLES_AT_ONCE], players)
    tell(len(tables), len(tables))
    there: dict[date, set[int]] = defaultdict(set)
    for each in tables:
        assert each.day
        there[each.day] |= {players[listed.person.who] for listed in each.seats}
    for day, present in there.items():
        put_down(evenings[day], present)


def _write_tables(
    season: Season,
    rounds: Mapping[tuple[date, int], Round],
    tables: Sequence[PlannedTable],
    players: Mapping[Person, int],
) -> None:
    made = [_table(season, rounds, planned) for planned in tables]
    seats = [_seats(table, planned, players) for table, planned in zip(made, tables, strict=True)]
    for table, own, planned in zip(made, seats, tables, strict=True):
        _derive(table, own, len(planned.dealt))
    Table.objects.bulk_create(made)
    Seat.objects.bulk_create(seat for own in seats for seat in own)
    _write_deals((table, own, planned.dealt) for table, own, planned in zip(made, seats, tables, strict=True))


def _seats(table: Table, planned: PlannedTable, players: Mapping[Person, int]) -> list[Seat]:
    """Return the seats of a table: points and deals are what was written, or follow from its deals."""
    written = max(1, planned.deals * table.playing // table.size)
    seats = []
    for number, listed in enumerate(planned.seats):
        seat = Seat(
            table=table, round=table.round, number=number, player_id=players[listed.person.who], points=listed.points
        )
        if planned.dealt:
            seat.deals = listed.deals or 0
        else:
            seat.written, seat.written_deals, seat.deals = listed.points, written, written
        seats.append(seat)
    return seats


def _derive(table: Table, seats: Sequence[Seat], recorded: int) -> None:
    """Set what follows from a table's seats. It is over: one with fewer deals than usual is complete by hand."""
    table.recorded, table.deals, table.complete = derived_table(table, seats, recorded)
    if not table.complete:
        table.finished = True
        table.recorded, table.deals, table.complete = derived_table(table, seats, recorded)


def _write_deals(tables: Iterable[tuple[Table, Sequence[Seat], Sequence[ReadDeal]]]) -> None:
    deals: list[Deal] = []
    scores: list[Score] = []
    for table, seats, dealt in tables:
        of_table = [
            Deal(table=table, number=number, facts=read.facts, rests=list(read.rests), client_key=uuid4())
            for number, read in enumerate(dealt, 1)
        ]
        for deal, played in play_deals(table, of_table):
            if isinstance(played, IllegalDeal):
                raise played
            derived = derived_deal(deal, seats, played)
            deal.doubted = derived.doubted
            deals.append(deal)
            scores += derived.scores
    Deal.objects.bulk_create(deals)
    Score.objects.bulk_create(scores)


def _evenings(season: Season, days: Iterable[date], now: datetime) -> dict[date, Evening]:
    """Return the closed evening of each date."""
    found = {each.date: each for each in season.evenings.not_cancelled().filter(date__in=days)}
    for day in sorted(days):
        evening = found.setdefault(day, Evening(season=season, date=day))
        evening.season = season
        if evening.state != EveningState.CLOSED:
            begins = evening.begins_at or season.club.begins_at or BEGINS
            evening.opened_at = min(now, datetime.combine(day, begins, season.club.zone))
            evening.closed_at = evening.final_at = min(now, datetime.combine(day, time.max, season.club.zone))
            evening.state = EveningState.CLOSED
            evening.save()
            evening.rounds.planned().delete()
    return found


def _rounds(evenings: Mapping[date, Evening], tables: Iterable[PlannedTable]) -> dict[tuple[date, int], Round]:
    numbers = {(table.day, table.round) for table in tables if table.day}
    found = {
        (each.evening.date, each.number): each
        for each in Round.objects.filter(evening__in=evenings.values()).with_evening()
    }
    missing = sorted(numbers - found.keys())
    new = Round.objects.bulk_create(
        Round(evening=evenings[day], number=number, state=RoundState.ACCEPTED) for day, number in missing
    )
    return found | dict(zip(missing, new, strict=True))


def _table(season: Season, rounds: Mapping[tuple[date, int], Round], planned: PlannedTable) -> Table:
    assert planned.day
    size = len(planned.seats)
    sitting = rounds[planned.day, planned.round]
    return Table(round=sitting, number=planned.number, size=size, one_rests=size == season.resting_size)
