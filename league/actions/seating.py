"""Actions on tables that a user sets without a draw: add a table with its players, change its players, remove it.

Each action locks the evening's row. Parameters that name players are ids. The pages check the user's rights.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, ProtectedError
from django.utils.translation import gettext_lazy as _

from league.actions import audit, pending_recomputes
from league.actions.attendance import add_attendances, lock_evening, lock_unfinished_evening, next_round_number
from league.actions.refusals import WrongState
from league.actions.rests import update_rest_points
from league.messages import announce_evening_change
from league.models import Evening, PendingRecompute, Round, Seat, Table
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.history import history_reason


class AlreadySeated(ValueError):
    """A player already has a seat in the round.

    `seat` is the index of the requested seat, `player` the player's id. `table` is the number of the table where the
    player sits.
    """

    def __init__(self, seat: int, player: int, table: int) -> None:
        super().__init__(seat, player, table)
        self.seat = seat
        self.player = player
        self.table = table


class WrongTableSize(ValueError):
    """The season has no tables of that size."""


@transaction.atomic
def add_table(evening_id: int, round_number: int, players: Sequence[int], *, with_resting_player: bool) -> Table:
    """Add a table to a round of an evening, and check its players in at the evening.

    A `round_number` after the next round means the next round. If the round is new, rounds that are drawn but not
    accepted are deleted. With `with_resting_player`, one player of the table sits out each deal. Raise WrongState,
    WrongTableSize, AlreadySeated or NotClubMembers.
    """
    evening = lock_unfinished_evening(evening_id)
    if len(players) not in evening.season.table_sizes:
        raise WrongTableSize(len(players))
    number = min(max(round_number, 1), next_round_number(evening))
    if number == next_round_number(evening):
        evening.rounds.planned().delete()  # a table by hand replaces the plan
    round_, _is_new = Round.objects.get_or_create(evening=evening, number=number)
    check_not_seated(players, table_numbers_by_player(round_))
    add_attendances(evening, players, from_round=round_.number)
    numbers = set(round_.tables.values_list("number", flat=True))
    number = next(candidate for candidate in range(1, len(numbers) + 2) if candidate not in numbers)
    table: Table = Table.objects.create(round=round_, number=number, size=len(players), one_rests=with_resting_player)
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, number=seat, player_id=player) for seat, player in enumerate(players)
    )
    update_rest_points(round=round_)
    audit.log(AuditEvent.SEATS_CHANGED, table)
    announce_evening_change(evening_id)
    return table


@transaction.atomic
def change_seats(table_id: int, players: Sequence[int], *, now: datetime, reason: str = "") -> Table:
    """Change the players of a table, in the order of its seats; the points stay with the seats.

    If no player changes, do nothing. A reason is required if the table has points or the evening is closed. Raise
    WrongState, WrongTableSize, AlreadySeated or NotClubMembers.
    """
    with history_reason(reason):
        evening = lock_evening(Evening.objects.values_list("pk", flat=True).get(rounds__tables=table_id))
        table = Table.objects.select_for_update(of=("self",)).select_related("round").get(pk=table_id)
        seats = list(table.seats.all())
        if list(players) == [seat.player_id for seat in seats]:
            return table
        check_seats_may_change(evening, [table_id], reason)
        if len(players) != len(seats):
            raise WrongTableSize(len(players))
        check_not_seated(players, table_numbers_by_player(table.round, excluded_table=table.pk))
        add_attendances(evening, players, from_round=table.round.number)
        for seat, player in zip(seats, players, strict=True):
            seat.player_id = player
        store_players(seats)
        update_rest_points(round=table.round)
        audit.log(AuditEvent.SEATS_CHANGED, table, reason=reason)
        pending_recomputes.mark_corrected_evening(evening, now=now, why=PendingRecompute.Reason.SEATS)
        announce_evening_change(evening.pk)
        return table


@transaction.atomic
def remove_table(table_id: int) -> Evening:
    """Delete a table, and its round if the round is then empty. Raise WrongState if the table has points."""
    evening = lock_unfinished_evening(Evening.objects.values_list("pk", flat=True).get(rounds__tables=table_id))
    table = Table.objects.select_for_update(of=("self",)).select_related("round").get(pk=table_id)
    if has_points(table, table.seats.all()):
        raise WrongState(_("Points are recorded at this table. Void its deals first."))
    try:
        table.delete()
    except ProtectedError as kept:
        raise WrongState(_("This table had deals that were voided. It stays, so that they can be looked up.")) from kept
    update_rest_points(round=table.round)
    audit.log(AuditEvent.SEATS_CHANGED, table.round)
    if not table.round.tables.exists() and not table.round.rests.exists():
        table.round.delete()
    announce_evening_change(evening.pk)
    return evening


def table_numbers_by_player(round_: Round, *, excluded_table: int | None = None) -> dict[int, int]:
    rows = Seat.objects.filter(round=round_).exclude(table=excluded_table).values_list("player_id", "table__number")
    return dict(rows)


def check_not_seated(players: Sequence[int], table_numbers: Mapping[int, int]) -> None:
    """Raise AlreadySeated if a player has a table in `table_numbers`. The form checks that `players` are different."""
    for seat, player in enumerate(players):
        if player in table_numbers:
            raise AlreadySeated(seat, player, table_numbers[player])


def has_points(table: Table, seats: Iterable[Seat]) -> bool:
    return table.recorded > 0 or any(seat.written is not None for seat in seats)


def store_players(seats: Iterable[Seat]) -> None:
    """Store the changed players of seats. Totals from a page with the former players are refused after it.

    The seats are stored in one statement, because two players may change places. Call it with the evening locked.
    """
    changed_seats = list(seats)
    Seat.objects.bulk_update(changed_seats, ["player"])
    Table.objects.filter(pk__in={seat.table_id for seat in changed_seats}).update(version=F("version") + 1)


def check_seats_may_change(evening: Evening, table_ids: Collection[int], reason: str) -> None:
    """Raise WrongState if the players of these tables may not be changed. Call it with the evening locked.

    In a cancelled evening no change is allowed. In a closed evening, or at a table with points, a change needs a
    `reason`.
    """
    if evening.state == EveningState.CANCELLED:
        raise WrongState(_("The evening is cancelled."))
    if reason.strip():
        return
    if evening.state == EveningState.CLOSED:
        raise WrongState(_("The evening is closed: a change needs a reason."))
    tables = Table.objects.select_for_update(of=("self",)).filter(pk__in=table_ids).order_by("pk")
    if any(has_points(table, table.seats.all()) for table in tables):
        raise WrongState(_("Points are recorded at this table: a change needs a reason."))
