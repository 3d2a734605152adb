"""Actions on the points that players get for rounds that they sat out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, pending_recomputes
from league.actions.attendance import lock_evening
from league.actions.refusals import WrongState
from league.evenings.queries.rest_points import compute_rest_points
from league.messages import announce_evening_change
from league.models import PendingRecompute, Rest, Round
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.history import history_reason
from league.models.round import RoundState


def update_rest_points(**rounds: Any) -> None:
    """Compute again the points of the rests (rounds that players sat out) that the lookups `rounds` select.

    Call it after each change that may complete or correct a round. The rests are locked before the tables are read: if
    two tables of a round are completed at once, the second transaction waits for the first, and then reads both tables.
    """
    rows = Rest.objects.with_computed_points().filter(**rounds).select_related("round__evening__season")
    rests = list(rows.select_for_update(of=("self",)).order_by("pk"))
    if not rests:
        return
    changed_rows = []
    for rest, sums in compute_rest_points(rests):
        if (rest.points, rest.deals) != sums:
            rest.points, rest.deals = sums
            changed_rows.append(rest)
    Rest.objects.bulk_update(changed_rows, ["points", "deals"])


@transaction.atomic
def record_catch_up(round_id: int, points: Mapping[int, int | None], *, now: datetime, reason: str = "") -> None:
    """Store the points of the catch-up games of a round, by the id of the Rest; None deletes the points.

    A catch-up game is a game of a player who sat the round out, at a table that finished early. In a closed evening a
    reason is required. Raise WrongState.
    """
    with history_reason(reason):
        round_ = Round.objects.get(pk=round_id)
        evening = lock_evening(round_.evening_id)
        if evening.state not in (EveningState.OPEN, EveningState.CLOSED):
            raise WrongState(_("The evening is not open."))
        if evening.state == EveningState.CLOSED and not reason.strip():
            raise WrongState(_("The evening is closed: a change needs a reason."))
        if not points:
            return
        rests = round_.rests.catch_up().filter(pk__in=points, round__state=RoundState.ACCEPTED)
        rows = list(rests.select_for_update(of=("self",)).order_by("pk"))
        if len(rows) != len(points):
            raise WrongState(_("Somebody changed who sits the round out. Open the page again."))
        for rest in rows:
            rest.written = points[rest.pk]
        Rest.objects.bulk_update(rows, ["written"])
        update_rest_points(round=round_)
        audit.log(AuditEvent.CATCH_UP_RECORDED, round_, count=len(rows), reason=reason)
        pending_recomputes.mark_corrected_evening(evening, now=now, why=PendingRecompute.Reason.TOTALS)
        announce_evening_change(evening.pk)
