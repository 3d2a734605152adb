"""What a board says while a change waits to be computed into it."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from league.models.due import SOON, DueQuerySet


def due_notice(dues: DueQuerySet, *, now: datetime) -> str:
    """Return a sentence for the readers of a board, or an empty text when nothing waits; one query."""
    return due_at(dues.next_at(), now=now)


def due_at(at: datetime | None, *, now: datetime) -> str:
    """Return the sentence for what may be computed from that moment on."""
    if at is None:
        return ""
    if at <= now + SOON:
        return _("About to change: results came in or were corrected. Look again in a minute or two.")
    return _("Something has changed that is computed in the coming night.")
