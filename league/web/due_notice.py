"""A notice for pages with numbers that will be recomputed soon."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from league.models.due import RECOMPUTE_NOTICE_TIME, DueQuerySet


def due_notice(dues: DueQuerySet, *, now: datetime) -> str:
    """Return the notice, or "" if nothing is pending. `dues` are the pending recomputes of the page's numbers."""
    return due_time_text(dues.next_at(), now=now)


def due_time_text(due_time: datetime | None, *, now: datetime) -> str:
    """Return the notice for a recompute at `due_time`; "" for None."""
    if due_time is None:
        return ""
    if due_time <= now + RECOMPUTE_NOTICE_TIME:
        return _("About to change: results came in or were corrected. Look again in a minute or two.")
    return _("Something has changed that is computed in the coming night.")
