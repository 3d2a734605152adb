"""What was changed after an evening's results were public, from what to what, by the history. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from league.models import Deal, Evening, Seat, Table
from league.models.evening import EveningState
from league.sheets.queries.deal_changes import DealChange, Recorded, deal_change
from players.models import Player
from scoring.numbers import localised


class Erratum(NamedTuple):
    """One correction: when, of what, what was done, and why; `address` leads to what stands now.

    `change` says it of a deal, `details` of seats.
    """

    at: datetime
    where: str
    what: str
    reason: str
    address: str
    change: DealChange | None = None
    details: Sequence[str] = ()


def errata(evening: Evening) -> list[Erratum]:
    """Return every correction since the evening was closed for the first time, the newest first; five queries."""
    closed = _events("EveningEvent", pgh_obj=evening, state=EveningState.CLOSED).order_by("pgh_id").first()
    if closed is None:
        return []
    since = {"pgh_created_at__gt": closed.pgh_created_at}
    tables = {table.pk: table for table in Table.objects.in_evenings([evening])}
    seats = list(_events("SeatEvent", table__in=tables).order_by("pgh_id"))
    players = Player.objects.in_bulk({event.player_id for event in seats})
    deals = _events("DealEvent", table__in=tables).select_related("pgh_context", "pgh_obj")
    reopened = _events("EveningEvent", pgh_obj=evening, state=EveningState.OPEN, **since)
    found = [
        *_of_deals(deals.order_by("pgh_id"), tables, _seated(seats, players), closed.pgh_created_at),
        *_of_seats(seats, tables, players, closed.pgh_created_at),
        *_of_evening(reopened, evening),
    ]
    return sorted(found, key=lambda each: each.at, reverse=True)


def _events(name: str, **lookup: object) -> QuerySet[Any]:
    """Return rows of a history; its models are made by `tracked` and have no module."""
    history: type[Model] = apps.get_model("league", name)
    return history._default_manager.filter(**lookup).select_related("pgh_context")


def _seated(events: Iterable[Any], players: Mapping[int, Player]) -> dict[int, list[Seat]]:
    """Return each table's seats in order, as they are taken now, with their players."""
    last = {event.pgh_obj_id: event for event in events}
    found: dict[int, list[Seat]] = defaultdict(list)
    for event in sorted(last.values(), key=lambda event: event.number):
        found[event.table_id].append(Seat(number=event.number, player=players[event.player_id]))
    return found


def _of_deals(
    events: Iterable[Any], tables: Mapping[int, Table], seated: Mapping[int, Sequence[Seat]], closed: datetime
) -> Iterator[Erratum]:
    """Of all events of the deals, in their order, those after the closing that made a new version."""
    stood: dict[int, Any] = {}
    for event in events:
        deal: Deal = event.pgh_obj
        before = stood.get(deal.pk)
        stood[deal.pk] = event
        changed = before is None or before.version != event.version  # a deal that was only checked off stays as it was
        if not changed or event.pgh_created_at <= closed:
            continue
        if event.pgh_label == "insert":
            what = _("%(deal)s was recorded late.")
        elif event.voided_at is not None:
            what = _("A deal was voided.")
        else:
            what = _("%(deal)s was revised.")
        table = tables[event.table_id]
        held = Recorded(before.facts, before.rests) if before else None
        given = None if event.voided_at else Recorded(event.facts, event.rests)
        yield Erratum(
            event.pgh_created_at,
            _where(table),
            what % {"deal": deal},
            _reason(event),
            deal.get_absolute_url(),
            change=deal_change(table, seated[table.pk], held, given),
        )


def _of_seats(
    events: Iterable[Any], tables: Mapping[int, Table], players: Mapping[int, Player], closed: datetime
) -> Iterator[Erratum]:
    """One line for all seats of a table that one act changed; what stands on the paper beside the deals is none."""
    acts: dict[object, tuple[Any, list[str]]] = {}
    stood: dict[int, Any] = {}
    for event in events:
        before, stood[event.pgh_obj_id] = stood.get(event.pgh_obj_id), event
        if event.pgh_created_at <= closed or (before and _told(before) == _told(event)):
            continue
        act = (event.pgh_context_id or event.pgh_created_at, event.table_id)
        acts.setdefault(act, (event, []))[1].extend(_seat_changes(before, event, players))
    for event, details in acts.values():
        table = tables[event.table_id]
        what = _("Seats or written totals were changed.")
        address = table.get_absolute_url()
        yield Erratum(event.pgh_created_at, _where(table), what, _reason(event), address, details=details)


def _told(event: Any) -> tuple[object, ...]:
    """Return what of a seat is public."""
    return (event.table_id, event.number, event.player_id, event.written, event.written_deals)


def _seat_changes(before: Any, event: Any, players: Mapping[int, Player]) -> Iterator[str]:
    """Yield what one act changed of a seat: who sits there, and the total that was handed in."""
    name = str(players[event.player_id])
    if before is not None and before.player_id != event.player_id:
        yield f"{players[before.player_id]} → {name}"
    written = before.written if before is not None else None
    if written != event.written:
        yield f"{name}{_(': ')}{_total(written)} → {_total(event.written)}"


def _total(written: int | None) -> str:
    return "–" if written is None else localised(written)


def _of_evening(events: Iterable[Any], evening: Evening) -> Iterator[Erratum]:
    for event in events:
        what = _("The evening was opened again.")
        yield Erratum(event.pgh_created_at, str(evening), what, _reason(event), evening.get_absolute_url())


def _where(table: Table) -> str:
    return f"{table.round}, {table}"


def _reason(event: Any) -> str:
    return (event.pgh_context.metadata.get("reason") or "") if event.pgh_context else ""
