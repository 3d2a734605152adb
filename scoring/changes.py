"""A deal's history in words: who wrote what, when and why."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from scoring.models import Deal


class Change(NamedTuple):
    """One version of a deal. `by` is empty when nobody was signed in (a command, the demo)."""

    at: datetime
    what: str
    by: str
    reason: str


def changes(deal: Deal) -> list[Change]:
    """Every version, the newest first: two queries."""
    events = list(deal.events.select_related("pgh_context").order_by("-pgh_id"))
    told = [(event, event.pgh_context.metadata if event.pgh_context else {}) for event in events]
    users = get_user_model().objects.select_related("player").in_bulk([each.get("user") for _event, each in told])
    return [
        Change(
            at=event.pgh_created_at,
            what=_what(event.pgh_label, voided=event.voided_at is not None),
            by=_name(users.get(metadata.get("user"))),
            reason=metadata.get("reason") or "",
        )
        for event, metadata in told
    ]


def _what(label: str, *, voided: bool) -> str:
    if label == "insert":
        return _("Recorded")
    return _("Voided") if voided else _("Revised")


def _name(user: object | None) -> str:
    if user is None:
        return ""
    return str(getattr(user, "player", None) or _("someone without a player"))
