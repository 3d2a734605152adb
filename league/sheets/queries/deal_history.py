"""A deal's history in words: who wrote what, when and why, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.imports.queries.club_file.export import ACTOR
from league.models import Deal, Seat
from league.sheets.queries.deal_changes import DealChange, Recorded, deal_change
from players.models import Player, User


class ChangeKind(TextChoices):
    """What somebody did to a deal."""

    RECORDED = "recorded", _("Recorded")
    REVISED = "revised", _("Revised")
    VOIDED = "voided", _("Voided")
    CHECKED = "checked", _("Checked")


class Change(NamedTuple):
    """One change of a deal; `by` says "at the table" of a phone, and is empty for a command or the demo.

    `change` is None where the deal was only checked off.
    """

    at: datetime
    what: ChangeKind
    change: DealChange | None
    by: str
    reason: str


def changes(deal: Deal, seats: Sequence[Seat]) -> list[Change]:
    """Return every change, the newest first: two queries."""
    events = list(deal.events.select_related("pgh_context").order_by("-pgh_id"))
    before = [*events[1:], None]
    told = [(event, event.pgh_context.metadata if event.pgh_context else {}) for event in events]
    users = User.objects.select_related("player").in_bulk([each.get("user") for _event, each in told])
    # Of a club that was taken in from its file: those who wrote have no login here.
    elsewhere = [each[ACTOR] for _event, each in told if ACTOR in each]
    players = Player.objects.in_bulk(elsewhere) if elsewhere else {}
    return [
        Change(
            at=event.pgh_created_at,
            what=_what(event, checked_only=bool(earlier) and event.version == earlier.version),
            change=_change(deal, seats, earlier, event),
            by=_name(players.get(metadata.get(ACTOR)) or users.get(metadata.get("user")), event),
            reason=metadata.get("reason") or "",
        )
        for (event, metadata), earlier in zip(told, before, strict=True)
    ]


def _change(deal: Deal, seats: Sequence[Seat], earlier: Any, event: Any) -> DealChange | None:
    if earlier and event.version == earlier.version:
        return None
    held = Recorded(earlier.facts, earlier.rests) if earlier else None
    return deal_change(deal.table, seats, held, None if event.voided_at else Recorded(event.facts, event.rests))


def _what(event: Any, *, checked_only: bool) -> ChangeKind:
    if event.pgh_label == "insert":
        return ChangeKind.RECORDED
    if checked_only:
        return ChangeKind.CHECKED
    return ChangeKind.REVISED if event.voided_at is None else ChangeKind.VOIDED


def _name(who: User | Player | None, event: Any) -> str:
    if who is None:
        return "" if event.checked else gettext("at the table")
    return str(who if isinstance(who, Player) else getattr(who, "player", None) or gettext("someone without a player"))
