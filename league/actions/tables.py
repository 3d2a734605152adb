"""Functions shared by the actions that write points: lock a table, update its computed fields, mark it as finished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, pending_recomputes
from league.actions.refusals import WrongState
from league.actions.rests import update_rest_points
from league.messages import announce_evening_change
from league.models import PendingRecompute, Seat, Table
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.history import history_reason
from league.models.round import RoundState
from league.sheets.queries.table_sums import PointsAndDeals, compute_seat_sums, compute_table_state

LOCK_EVENING_AND_SEASON_SQL = """
    SELECT 1 FROM league_evening JOIN league_season ON league_season.id = league_evening.season_id
    JOIN league_round ON league_round.evening_id = league_evening.id
    JOIN league_table ON league_table.round_id = league_round.id
    WHERE league_table.id = %s FOR SHARE OF league_season, league_evening
"""


def lock_table_for_entry(table_id: int, *, reason: str) -> Table:
    """Lock a table and return it. Raise WrongState if points cannot be entered, or if a closed evening needs a reason.

    Season and evening get shared locks first, in this order: other tables can still be written, but closing the evening
    or changing the rules waits for this transaction. Call it in a transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(LOCK_EVENING_AND_SEASON_SQL, [table_id])
    rows = Table.objects.select_for_update(of=("self",)).select_related("round__evening__season__club")
    table: Table = rows.get(pk=table_id)
    if table.read_only_reason:
        raise WrongState(table.read_only_reason)
    if table.requires_reason and not reason.strip():
        raise WrongState(_("The evening is closed: a change needs a reason."))
    if table.round.state == RoundState.PLANNED:
        raise WrongState(_("This round is only planned. Accept its draw first."))
    return table


@transaction.atomic
def finish(table_id: int, *, finished: bool, now: datetime, reason: str = "") -> Table:
    """Mark a table as complete although deals are missing, or undo this. Raise WrongState."""
    with history_reason(reason):
        table = lock_table_for_entry(table_id, reason=reason)
        if finished and not table.deals:
            raise WrongState(_("Nothing is recorded at this table yet: it can't be complete."))
        table.finished = finished
        table.save(update_fields=["finished"])
        update_totals(table, list(table.seats.all()), None, table.recorded)
        audit.log(AuditEvent.TABLE_FINISHED, table, reason=reason)
        pending_recomputes.mark_corrected_evening(table.round.evening, now=now, why=PendingRecompute.Reason.FINISHED)
        return table


def update_totals(
    table: Table, seats: Sequence[Seat], scored: Mapping[int, PointsAndDeals] | None, recorded: int
) -> None:
    """Update the computed fields of a table and of its seats.

    `recorded` is the number of deals that are not voided. `scored` are the sums of their scores by seat id; with None,
    the points of the seats are unchanged. Without a deal, the points are the totals that a user entered. If the table
    is or was complete, the points of players who sat the round out are updated too.
    """
    was_complete = table.complete
    derived = ["recorded", "deals", "complete"]
    if scored is not None:
        before, season = [seat.points for seat in seats], table.round.evening.season
        for seat in seats:
            seat.points, seat.deals = compute_seat_sums(seat, scored, recorded, season)
        _store_seat_points(seats)
        if table.paper_accepted and before != [seat.points for seat in seats]:
            table.paper_accepted = ""  # the user accepted a difference to other points
            derived.append("paper_accepted")
    table.recorded, table.deals, table.complete = compute_table_state(table, seats, recorded)
    table.save(update_fields=derived)
    if was_complete or table.complete:
        update_rest_points(round=table.round_id)
    if table.round.evening.state == EveningState.OPEN:
        announce_evening_change(table.round.evening_id)


def _store_seat_points(seats: Sequence[Seat]) -> None:
    """Store points and deals of the seats, in one SQL statement: bulk_update is slow when a deal is recorded."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE league_seat SET points = new.points, deals = new.deals
            FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS new (id, points, deals)
            WHERE league_seat.id = new.id
            """,
            [[seat.pk for seat in seats], [seat.points for seat in seats], [seat.deals for seat in seats]],
        )
