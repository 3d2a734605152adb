from __future__ import annotations

from datetime import datetime

from django.db import transaction

from league.actions import audit, pending_recomputes
from league.actions.seasons import lock_editable_season
from league.models import Adjustment, PendingRecompute
from league.models.audit_entry import AuditEvent
from league.models.history import history_reason


@transaction.atomic
def add_adjustment(season_id: int, player_id: int, points: int, *, reason: str, now: datetime) -> bool:
    """Add points to a player's total in a season; negative points are a penalty. A repeated request adds them once.

    Return whether they are new. Raise WrongState in a closed season.
    """
    season = lock_editable_season(season_id)
    with history_reason(reason):
        adjustment, is_new = Adjustment.objects.get_or_create(
            season=season, player_id=player_id, points=points, reason=reason
        )
    if is_new:
        audit.log(AuditEvent.POINTS_ADJUSTED, adjustment, reason=reason, points=points)
        pending_recomputes.mark_season(
            season, not_before=now + pending_recomputes.CORRECTION_DELAY, why=PendingRecompute.Reason.ADJUSTED
        )
    return is_new


@transaction.atomic
def remove_adjustment(adjustment: Adjustment, *, now: datetime) -> None:
    """Delete an adjustment if it still exists. Raise WrongState in a closed season."""
    season = lock_editable_season(adjustment.season_id)
    with history_reason("taken back"):
        if Adjustment.objects.filter(pk=adjustment.pk).delete()[0]:
            audit.log(AuditEvent.POINTS_ADJUSTED, adjustment, reason=adjustment.reason, points=-adjustment.points)
            pending_recomputes.mark_season(
                season, not_before=now + pending_recomputes.CORRECTION_DELAY, why=PendingRecompute.Reason.ADJUSTED
            )
