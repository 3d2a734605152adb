"""Actions on a round of an evening: store drawn rounds, draw some tables again, accept a round, swap players or tables.

Each action locks the evening's row. Parameters that name players are ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import ProtectedError, Q
from django.utils.translation import gettext_lazy as _

from league.actions import audit, pending_recomputes
from league.actions.attendance import lock_evening, lock_unfinished_evening, next_round_number
from league.actions.refusals import WrongState, check_no_tournament
from league.actions.rests import update_rest_points
from league.actions.seating import check_seats_may_change, has_points, store_players
from league.draw.draw_types import Seating
from league.evenings.queries.draw_input import DrawAttendance, read_draw_attendances
from league.messages import announce_evening_change
from league.models import Evening, PendingRecompute, Rest, Round, Season, Seat, Table
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.history import history_reason
from league.models.round import RestKind, RoundState
from league.models.season import RestScore


class NotInRound(ValueError):
    """A player neither has a seat in the round nor sits it out, or a table is not in the round, or it was deleted."""


class TablesDiffer(ValueError):
    """Two tables have different numbers of seats, or only at one of them a player sits out each deal."""


@transaction.atomic
def store_drawn_rounds(
    evening_id: int, seatings: Iterable[Seating], *, seed: int, drawn_attendances: Collection[DrawAttendance]
) -> list[Round]:
    """Store drawn rounds in the state "planned", and delete all other planned rounds of the evening.

    `drawn_attendances` are the attendances that the draw used. Raise WrongState if they have changed since, or a round
    was accepted.
    """
    evening = lock_unfinished_evening(evening_id)
    check_no_tournament(evening.season)
    drawn = list(seatings)
    first = next_round_number(evening)
    if any(round_.number < first for round_ in drawn) or set(read_draw_attendances(evening)) != set(drawn_attendances):
        raise WrongState(_("Somebody came or went meanwhile. Draw again."))
    evening.rounds.planned().delete()
    return [create_round(evening, round_, seed) for round_ in drawn]


@transaction.atomic
def replace_tables(round_id: int, table_ids: Collection[int], seating: Seating, *, seed: int) -> Round:
    """Replace the tables `table_ids` of a round, and its players who sit out, by the drawn `seating`.

    Later planned rounds are deleted. Raise WrongState if one of the tables has points, or players have come or left
    since the draw.
    """
    round_, evening = _lock_round(round_id)
    check_no_tournament(evening.season)
    tables = list(Table.objects.select_for_update(of=("self",)).filter(round=round_, pk__in=table_ids).with_seats())
    placed = {seat.player_id for table in tables for seat in table.seats.all()}
    placed |= set(round_.rests.values_list("player_id", flat=True))
    points = any(has_points(table, table.seats.all()) for table in tables)
    if points or not _is_redraw_valid(evening, round_, seating, placed, {table.pk for table in tables}):
        raise WrongState(_("Somebody came, went or got points meanwhile. Draw again."))
    try:
        Table.objects.filter(pk__in=[table.pk for table in tables]).delete()
    except ProtectedError as kept:
        raise WrongState(_("A table had deals that were voided. It stays, so that they can be looked up.")) from kept
    round_.rests.all().delete()
    round_.seed = seed
    round_.save(update_fields=["seed"])
    _create_tables(round_, seating, evening.season)
    update_rest_points(round=round_)
    evening.rounds.planned().filter(number__gt=round_.number).delete()
    audit.log(AuditEvent.SEATS_CHANGED, round_)
    announce_evening_change(evening.pk)
    return round_


@transaction.atomic
def accept(round_id: int) -> Round:
    """Accept a planned round, so that its tables can be played. A repeated request does nothing. Raise WrongState."""
    round_, evening = _lock_round(round_id)
    if round_.state == RoundState.PLANNED:
        if evening.state != EveningState.OPEN:
            raise WrongState(_("The evening is not open."))
        if round_.number != next_round_number(evening):
            raise WrongState(_("The round before this one is not accepted yet."))
        round_.state = RoundState.ACCEPTED
        round_.save(update_fields=["state"])
        audit.log(AuditEvent.DRAW_ACCEPTED, round_)
        announce_evening_change(evening.pk)
    return round_


@transaction.atomic
def swap_players(round_id: int, first: int, second: int, *, now: datetime, reason: str = "") -> Round:
    """Exchange two players of a round; the points stay with the seat. Raise NotInRound or WrongState.

    A reason is required if points are recorded at their tables, and in a closed evening.
    """
    with history_reason(reason):
        round_: Round | None = Round.objects.filter(pk=round_id).first()
        if round_ is None:  # it was only planned, and another draw has replaced it
            raise NotInRound
        evening = lock_evening(round_.evening_id)
        seats = {seat.player_id: seat for seat in Seat.objects.filter(round=round_, player__in=(first, second))}
        rests = {rest.player_id: rest for rest in round_.rests.filter(player__in=(first, second))}
        if {first, second} != seats.keys() | rests.keys() or first == second:
            raise NotInRound
        check_seats_may_change(evening, [seat.table_id for seat in seats.values()], reason)
        _swap_rests(list(rests.values()), first, second)
        for seat in seats.values():
            seat.player_id = second if seat.player_id == first else first
        store_players(seats.values())
        update_rest_points(round=round_)
        audit.log(AuditEvent.SEATS_CHANGED, round_, reason=reason)
        pending_recomputes.mark_corrected_evening(evening, now=now, why=PendingRecompute.Reason.SEATS)
        announce_evening_change(evening.pk)
        return round_


@transaction.atomic
def swap_players_of_tables(first_id: int, second_id: int, *, now: datetime, reason: str = "") -> Round:
    """Exchange the players of two tables, seat by seat; the deals and points stay at the tables.

    This corrects two score sheets that were entered under each other's table number. Raise TablesDiffer, NotInRound or
    WrongState.
    """
    with history_reason(reason):
        round_: Round | None = Round.objects.filter(tables=first_id).first()
        if round_ is None:
            raise NotInRound
        evening = lock_evening(round_.evening_id)
        tables = Table.objects.select_for_update(of=("self",)).filter(round=round_).in_bulk([first_id, second_id])
        if len(tables) != len((first_id, second_id)):
            raise NotInRound
        if len({(table.size, table.one_rests) for table in tables.values()}) > 1:
            raise TablesDiffer
        check_seats_may_change(evening, tables, reason)
        seats = [list(table.seats.all()) for table in tables.values()]
        for first_seat, opposite in zip(*seats, strict=True):
            first_seat.player_id, opposite.player_id = opposite.player_id, first_seat.player_id
        store_players(seat for table in seats for seat in table)
        audit.log(AuditEvent.SEATS_CHANGED, round_, reason=reason)
        pending_recomputes.mark_corrected_evening(evening, now=now, why=PendingRecompute.Reason.SEATS)
        announce_evening_change(evening.pk)
        return round_


def _swap_rests(rests: list[Rest], first: int, second: int) -> None:
    for rest in rests:
        rest.player_id = second if rest.player_id == first else first
    if len(rests) > 1:
        first_rest, second_rest = rests  # exchange the other fields: a player may not have two rests in a round
        first_rest.player_id, second_rest.player_id = second_rest.player_id, first_rest.player_id
        for field in ("kind", "score", "written", "points", "deals"):
            first_value, second_value = getattr(first_rest, field), getattr(second_rest, field)
            setattr(first_rest, field, second_value)
            setattr(second_rest, field, first_value)
    Rest.objects.bulk_update(rests, ["player", "kind", "score", "written", "points", "deals"])


def _lock_round(round_id: int) -> tuple[Round, Evening]:
    """Lock a round's evening; return the round and the evening. Raise WrongState, also if the round was deleted."""
    before = Round.objects.filter(pk=round_id).first()
    evening = lock_unfinished_evening(before.evening_id) if before else None
    round_ = Round.objects.filter(pk=round_id).first()
    if evening is None or round_ is None:
        raise WrongState(_("Somebody came or went meanwhile. Draw again."))
    return round_, evening


def _is_redraw_valid(evening: Evening, round_: Round, seating: Seating, placed: set[int], tables: set[int]) -> bool:
    """Return whether the drawn seating can replace the tables of a round whose ids are `tables`.

    It must have all `placed` players, who sit at these tables or sit out, except those who are not present in this
    round. Its players must be present in this round and have no seat at the other tables. Its table numbers must be
    free.
    """
    absent = Q(from_round__gt=round_.number) | Q(to_round__lt=round_.number)
    present_players = set(evening.attendances.exclude(absent).values_list("player_id", flat=True))
    drawn_players = {player for table in seating.tables for player in table} | {*seating.resting, *seating.exempt}
    other_tables = round_.tables.exclude(pk__in=tables)
    seated = set(other_tables.values_list("seats__player", flat=True))
    numbers = {number for number, _players in seating.numbered_tables()} & set(
        other_tables.values_list("number", flat=True)
    )
    return placed & present_players <= drawn_players <= present_players and not drawn_players & seated and not numbers


def create_round(evening: Evening, seating: Seating, seed: int) -> Round:
    """Store a planned round with its tables, seats and rests. Call it with the evening locked."""
    round_: Round = Round.objects.create(evening=evening, number=seating.number, seed=seed, state=RoundState.PLANNED)
    _create_tables(round_, seating, evening.season)
    return round_


def _create_tables(round_: Round, seating: Seating, season: Season) -> None:
    """Store the tables of a round with their seats, and the rests of players without a seat."""
    tables = Table.objects.bulk_create(
        Table(round=round_, number=number, size=len(players), one_rests=len(players) == season.resting_size)
        for number, players in seating.numbered_tables()
    )
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, number=seat, player_id=player)
        for table, players in zip(tables, seating.tables, strict=True)
        for seat, player in enumerate(players)
    )
    exempt_points = season.convert_points(season.exempt_points) if season.rest_score == RestScore.NONE else 0
    rests = [
        *(Rest(player_id=player, kind=RestKind.EXEMPT, points=exempt_points) for player in seating.exempt),
        *(Rest(player_id=player) for player in seating.resting),
    ]
    for rest in rests:
        rest.round, rest.score, rest.written = round_, season.rest_score, season.rest_points
    Rest.objects.bulk_create(rests)
