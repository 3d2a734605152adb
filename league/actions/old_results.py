"""Bringing results of past evenings into a season from a list: tables by their totals, whole or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import due, people
from league.actions.attendance import put_down
from league.actions.clubs import locked
from league.actions.refusals import WrongState
from league.actions.seasons import lock_unless_closed
from league.messages import send_tick
from league.models import Due, Evening, Round, Season, Seat, Table
from league.models.evening import EveningState
from league.models.history import because
from league.models.round import RoundState
from league.models.season import SeasonState
from league.results.listed_people import compared
from league.results.old_results import ListedSeat, Person, PlannedResults, PlannedTable, TableFate, planned_results
from league.results.table_sums import derived_table

BEGINS: Final = time(20)  # where neither evening nor club says when


class ResultsUnanswered(ValueError):
    """Some lines ask whether somebody is one of the club's people; nothing was written."""

    def __init__(self, planned: PlannedResults) -> None:
        super().__init__(planned)
        self.planned = planned


@transaction.atomic
def bring_in_results(
    season: Season, listed: Sequence[ListedSeat], answers: Mapping[int, str], *, now: datetime
) -> PlannedResults:
    """Bring a list of results into an open season, and return what became of each table; twice changes nothing.

    An evening on a date that has none, or has a planned one, is closed from then on, and final. Who is new becomes a
    member. Tables that are wrong are left out. The season was fetched with its club. Raises ResultsUnanswered while
    somebody has to be asked about, or WrongState.
    """
    with locked(season.club), because("a list of results"):
        if lock_unless_closed(season.pk).state != SeasonState.OPEN:
            raise WrongState(_("The season is not open."))
        planned = planned_results(season, listed, answers, now.astimezone(season.club.zone).date())
        if planned.of(TableFate.ASKED):
            raise ResultsUnanswered(planned)
        new = planned.of(TableFate.NEW)
        if new:
            players = _players(season, new, planned, answers)
            _write(season, new, players, now)
            first = min(table.day for table in new if table.day)
            due.mark_season(season, not_before=now, why=Due.Why.TOTALS)
            due.mark_game(season.game, first, not_before=now, why=Due.Why.TOTALS)
            transaction.on_commit(send_tick)
        return planned


def _players(
    season: Season, tables: Iterable[PlannedTable], planned: PlannedResults, answers: Mapping[int, str]
) -> dict[Person, int]:
    """Make members of who is new at these tables, and return everybody's player."""
    wanted = {seat.who for table in tables for seat in table.seats}
    listed = {who: line.person for who, line in planned.people.items() if who in wanted}
    people.bring_in(season.club, list(listed.values()), answers)
    found = compared(season.club, listed.values(), answers, may_repeat=True)
    return {who: line.membership.player_id for who, line in zip(listed, found, strict=True) if line.membership}


def _write(season: Season, tables: Sequence[PlannedTable], players: Mapping[Person, int], now: datetime) -> None:
    evenings = _evenings(season, {table.day for table in tables if table.day}, now)
    rounds = _rounds(evenings, tables)
    made = Table.objects.bulk_create(_table(season, rounds, table) for table in tables)
    seats: list[Seat] = []
    for table, planned in zip(made, tables, strict=True):
        played = max(1, planned.deals * table.playing // table.size)
        own = [
            Seat(
                table=table,
                round=table.round,
                number=number,
                player_id=players[listed.who],
                written=listed.points,
                written_deals=played,
                points=listed.points,
                deals=played,
            )
            for number, listed in enumerate(planned.seats)
        ]
        table.recorded, table.deals, table.complete = derived_table(table, own, 0)
        seats += own
    Table.objects.bulk_update(made, ["recorded", "deals", "complete"], batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=2_000)
    there: dict[date, set[int]] = defaultdict(set)
    for each in tables:
        assert each.day
        there[each.day] |= {players[listed.who] for listed in each.seats}
    for day, present in there.items():
        put_down(evenings[day], present)


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
