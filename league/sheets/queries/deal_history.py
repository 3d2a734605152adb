"""The history of a deal: time, user, reason and change of each version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.imports.queries.club_file.export import ACTOR_KEY
from league.models import Deal, Seat
from league.sheets.queries.deal_changes import DealChange, DealVersion, deal_change
from players.models import Player, User


class ChangeKind(TextChoices):
    RECORDED = "recorded", _("Recorded")
    REVISED = "revised", _("Revised")
    VOIDED = "voided", _("Voided")
    CHECKED = "checked", _("Checked")


class HistoryEntry(NamedTuple):
    """A change of a deal."""

    time: datetime
    kind: ChangeKind
    change: DealChange | None  # None if the deal was only marked as checked
    author: str  # "at the table" for entry by phone; "" for a command or the demo
    reason: str


def deal_history(deal: Deal, seats: Sequence[Seat]) -> list[HistoryEntry]:
    """Return the history of the deal, the newest version first."""
    events = list(deal.events.select_related("pgh_context").order_by("-pgh_id"))
    previous = [*events[1:], None]
    with_metadata = [(event, event.pgh_context.metadata if event.pgh_context else {}) for event in events]
    users = User.objects.select_related("player").in_bulk([metadata.get("user") for _event, metadata in with_metadata])
    # In a club that was imported from its file authors have no login here.
    author_ids = [metadata[ACTOR_KEY] for _event, metadata in with_metadata if ACTOR_KEY in metadata]
    players = Player.objects.in_bulk(author_ids) if author_ids else {}
    return [
        HistoryEntry(
            time=event.pgh_created_at,
            kind=_kind(event, checked_only=bool(earlier) and event.version == earlier.version),
            change=_change(deal, seats, earlier, event),
            author=_author_name(players.get(metadata.get(ACTOR_KEY)) or users.get(metadata.get("user")), event),
            reason=metadata.get("reason") or "",
        )
        for (event, metadata), earlier in zip(with_metadata, previous, strict=True)
    ]


def _change(deal: Deal, seats: Sequence[Seat], earlier: Any, event: Any) -> DealChange | None:
    if earlier and event.version == earlier.version:
        return None
    old = DealVersion(earlier.facts, earlier.rests) if earlier else None
    return deal_change(deal.table, seats, old, None if event.voided_at else DealVersion(event.facts, event.rests))


def _kind(event: Any, *, checked_only: bool) -> ChangeKind:
    if event.pgh_label == "insert":
        return ChangeKind.RECORDED
    if checked_only:
        return ChangeKind.CHECKED
    return ChangeKind.REVISED if event.voided_at is None else ChangeKind.VOIDED


def _author_name(author: User | Player | None, event: Any) -> str:
    if author is None:
        return "" if event.checked else gettext("at the table")
    return str(
        author if isinstance(author, Player) else getattr(author, "player", None) or gettext("someone without a player")
    )
