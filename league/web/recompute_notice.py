"""A notice for pages with numbers that will be recomputed soon."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from league.models.pending_recompute import RECOMPUTE_NOTICE_TIME, PendingRecomputeQuerySet


def recompute_notice(pending_recomputes: PendingRecomputeQuerySet, *, now: datetime) -> str:
    """Return the notice for `pending_recomputes` of the numbers on a page, or "" if there are none."""
    return recompute_time_text(pending_recomputes.earliest_start(), now=now)


def recompute_time_text(due_time: datetime | None, *, now: datetime) -> str:
    """Return the notice for a recompute at `due_time`; "" for None."""
    if due_time is None:
        return ""
    if due_time <= now + RECOMPUTE_NOTICE_TIME:
        return _("About to change: results came in or were corrected. Look again in a minute or two.")
    return _("Something has changed that is computed in the coming night.")
