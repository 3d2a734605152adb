from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.refusals import StaleVersion, WrongState, check_not_closed
from league.models import Seat, Table
from league.models.audit_entry import AuditEvent
from league.models.history import history_reason


@transaction.atomic
def record(table_id: int, totals: Mapping[int, int | None]) -> Table:
    """Store the totals on the paper sheet of a table, by seat number; None is an empty field. Raise WrongState.

    They are compared with the computed points and change no points, so a closed evening requires no reason. A
    difference that a user has accepted must be accepted again.
    """
    table = _lock_table(table_id)
    changed_seats = []
    for seat in table.seats.all():
        if seat.number in totals and seat.paper != totals[seat.number]:
            seat.paper = totals[seat.number]
            changed_seats.append(seat)
    if changed_seats:
        Seat.objects.bulk_update(changed_seats, ["paper"])
        audit.log(AuditEvent.PAPER_RECORDED, table)
        _store_accepted_reason(table, "")
    return table


@transaction.atomic
def accept(table_id: int, seen_totals: Sequence[tuple[int | None, int]], *, reason: str) -> Table:
    """Accept the difference between the totals on the paper sheet of a table and its points, for a reason.

    `seen_totals` has each seat's total on paper and its points, as the user saw them. Raise StaleVersion if they have
    changed, or WrongState.
    """
    with history_reason(reason):
        table = _lock_table(table_id)
        seats = list(table.seats.all())
        if [(seat.sheet_total, seat.points) for seat in seats] != list(seen_totals):
            raise StaleVersion
        if not reason.strip():
            raise WrongState(_("Say why the paper may differ."))
        if not any(seat.differs_from_sheet for seat in seats):
            raise WrongState(_("The paper agrees: there is nothing to accept."))
        _store_accepted_reason(table, reason)
        audit.log(AuditEvent.PAPER_ACCEPTED, table, reason=reason)
        return table


def _lock_table(table_id: int) -> Table:
    table: Table = Table.objects.select_for_update(of=("self",)).with_club().get(pk=table_id)
    check_not_closed(table.round.evening.season)
    if not table.is_editable:
        raise WrongState(_("The evening is not open."))
    return table


def _store_accepted_reason(table: Table, reason: str) -> None:
    if table.paper_accepted != reason:
        table.paper_accepted = reason
        table.save(update_fields=["paper_accepted"])
