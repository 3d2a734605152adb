"""Actions that record and check the totals of a table. Points are written here and in `deals.py` only."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from league.actions import audit, pending_recomputes
from league.actions.refusals import StaleVersion, WrongState, check_not_closed
from league.actions.tables import lock_table_for_entry, update_totals
from league.models import PendingRecompute, Seat, Table
from league.models.audit_entry import AuditEvent
from league.models.history import history_reason
from league.sheets.queries.table_sums import PointsAndDeals


@transaction.atomic
def record(
    table_id: int,
    totals: Mapping[int, PointsAndDeals],
    *,
    client_key: UUID,
    seen_version: int,
    now: datetime,
    reason: str = "",
    at_table: bool = False,
) -> Table:
    """Record the totals of a table, points and number of deals by seat number.

    A repeated request with the same `client_key` is recorded once. With `at_table`, the totals come from a phone at the
    table, which may correct them until they are checked. Raise StaleVersion if the table's version is not
    `seen_version`, WrongState, or ValueError if `totals` does not have exactly the seats of the table.
    """
    with history_reason(reason):
        table = lock_table_for_entry(table_id, reason=reason)
        seats = list(table.seats.all())
        is_repeated = all((seat.written, seat.written_deals) == totals.get(seat.number) for seat in seats)
        if table.totals_key == client_key and is_repeated:
            return table
        if table.version != seen_version:
            raise StaleVersion
        if {seat.number for seat in seats} != set(totals):
            raise ValueError("every seat of the table has its total, and no other")
        revised = any(seat.written is not None for seat in seats)
        on_paper = [seat.sheet_total for seat in seats]
        if at_table and revised and table.totals_checked:
            raise WrongState(_("At the table totals can be corrected only as long as nobody has checked them."))
        for seat in seats:
            seat.written, seat.written_deals = totals[seat.number]
        Seat.objects.bulk_update(seats, ["written", "written_deals"])
        table.totals_key = client_key
        table.totals_checked = not at_table
        table.version += 1
        if [seat.sheet_total for seat in seats] != on_paper:
            table.paper_accepted = ""  # the user accepted a difference to other totals
        table.save(update_fields=["totals_key", "totals_checked", "version", "paper_accepted"])
        update_totals(table, seats, None if table.recorded else {}, table.recorded)
        event = AuditEvent.TOTALS_REVISED if revised else AuditEvent.TOTALS_RECORDED
        audit.log(event, table, reason=reason, at_table=at_table)
        pending_recomputes.mark_corrected_evening(table.round.evening, now=now, why=PendingRecompute.Reason.TOTALS)
        return table


@transaction.atomic
def check_off(table_id: int, seen_version: int) -> bool:
    """Mark a table's totals as compared with the paper score sheet. Raise WrongState.

    Return False if the totals were changed since `seen_version`, or were checked already.
    """
    table = Table.objects.select_for_update(of=("self",)).with_club().get(pk=table_id)
    check_not_closed(table.round.evening.season)
    if table.totals_checked or table.version != seen_version:
        return False
    table.totals_checked = True
    table.save(update_fields=["totals_checked"])
    audit.log(AuditEvent.TOTALS_CHECKED, table)
    return True
