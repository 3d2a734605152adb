"""Corrections of an evening after its results were published, with old and new values from the history tables."""

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
from league.sheets.queries.deal_changes import DealChange, DealVersion, deal_change
from players.models import Player
from scoring.numbers import localise


class ResultCorrection(NamedTuple):
    """A correction of a published result.

    `address` is the URL of the corrected deal, table or evening. `change` is set for a deal. `details` are sentences
    about seats and totals.
    """

    time: datetime
    location: str
    text: str
    reason: str
    address: str
    change: DealChange | None = None
    details: Sequence[str] = ()


def errata(evening: Evening) -> list[ResultCorrection]:
    """Return all corrections of the evening since it was closed for the first time, the newest first."""
    closed = _events("EveningEvent", pgh_obj=evening, state=EveningState.CLOSED).order_by("pgh_id").first()
    if closed is None:
        return []
    since = {"pgh_created_at__gt": closed.pgh_created_at}
    tables = {table.pk: table for table in Table.objects.in_evenings([evening])}
    seats = list(_events("SeatEvent", table__in=tables).order_by("pgh_id"))
    players = Player.objects.in_bulk({event.player_id for event in seats})
    deals = _events("DealEvent", table__in=tables).select_related("pgh_context", "pgh_obj")
    reopened = _events("EveningEvent", pgh_obj=evening, state=EveningState.OPEN, **since)
    entries = [
        *_deal_errata(deals.order_by("pgh_id"), tables, _seats_by_table(seats, players), closed.pgh_created_at),
        *_seat_errata(seats, tables, players, closed.pgh_created_at),
        *_reopening_errata(reopened, evening),
    ]
    return sorted(entries, key=lambda erratum: erratum.time, reverse=True)


def _events(name: str, **lookup: object) -> QuerySet[Any]:
    """Return rows of the history model `name`, such as "DealEvent", with their context: user and reason of the change.

    django-pghistory creates these models, so they cannot be imported.
    """
    history: type[Model] = apps.get_model("league", name)
    return history._default_manager.filter(**lookup).select_related("pgh_context")


def _seats_by_table(events: Iterable[Any], players: Mapping[int, Player]) -> dict[int, list[Seat]]:
    """Return {table id: seats in order}, from the newest history row of each seat."""
    last = {event.pgh_obj_id: event for event in events}
    seats: dict[int, list[Seat]] = defaultdict(list)
    for event in sorted(last.values(), key=lambda event: event.number):
        seats[event.table_id].append(Seat(number=event.number, player=players[event.player_id]))
    return seats


def _deal_errata(
    events: Iterable[Any], tables: Mapping[int, Table], seats_by_table: Mapping[int, Sequence[Seat]], closed: datetime
) -> Iterator[ResultCorrection]:
    """Yield the corrections of deals after the time `closed`.

    `events` are all history rows of the deals, the oldest first.
    """
    previous: dict[int, Any] = {}
    for event in events:
        deal: Deal = event.pgh_obj
        before = previous.get(deal.pk)
        previous[deal.pk] = event
        # Checking a deal against the paper adds a history row without a new version.
        is_new_version = before is None or before.version != event.version
        if not is_new_version or event.pgh_created_at <= closed:
            continue
        if event.pgh_label == "insert":
            text = _("%(deal)s was recorded late.")
        elif event.voided_at is not None:
            text = _("A deal was voided.")
        else:
            text = _("%(deal)s was revised.")
        table = tables[event.table_id]
        old = DealVersion(before.facts, before.rests) if before else None
        new = None if event.voided_at else DealVersion(event.facts, event.rests)
        yield ResultCorrection(
            event.pgh_created_at,
            _location(table),
            text % {"deal": deal},
            _reason(event),
            deal.get_absolute_url(),
            change=deal_change(table, seats_by_table[table.pk], old, new),
        )


def _seat_errata(
    events: Iterable[Any], tables: Mapping[int, Table], players: Mapping[int, Player], closed: datetime
) -> Iterator[ResultCorrection]:
    """Yield one erratum per action and table, with all seats that the action changed after the time `closed`.

    Changes of the totals on paper are left out, because these totals are not public.
    """
    changes: dict[object, tuple[Any, list[str]]] = {}
    previous: dict[int, Any] = {}
    for event in events:
        before, previous[event.pgh_obj_id] = previous.get(event.pgh_obj_id), event
        if event.pgh_created_at <= closed or (before and _public_fields(before) == _public_fields(event)):
            continue
        key = (event.pgh_context_id or event.pgh_created_at, event.table_id)
        changes.setdefault(key, (event, []))[1].extend(_seat_changes(before, event, players))
    for event, details in changes.values():
        table = tables[event.table_id]
        text = _("Seats or written totals were changed.")
        address = table.get_absolute_url()
        yield ResultCorrection(event.pgh_created_at, _location(table), text, _reason(event), address, details=details)


def _public_fields(event: Any) -> tuple[object, ...]:
    return (event.table_id, event.number, event.player_id, event.written, event.written_deals)


def _seat_changes(before: Any, event: Any, players: Mapping[int, Player]) -> Iterator[str]:
    name = str(players[event.player_id])
    if before is not None and before.player_id != event.player_id:
        yield f"{players[before.player_id]} → {name}"
    old_total = before.written if before is not None else None
    if old_total != event.written:
        yield f"{name}{_(': ')}{_total_text(old_total)} → {_total_text(event.written)}"


def _total_text(total: int | None) -> str:
    return "–" if total is None else localise(total)


def _reopening_errata(events: Iterable[Any], evening: Evening) -> Iterator[ResultCorrection]:
    for event in events:
        text = _("The evening was opened again.")
        yield ResultCorrection(event.pgh_created_at, str(evening), text, _reason(event), evening.get_absolute_url())


def _location(table: Table) -> str:
    return f"{table.round}, {table}"


def _reason(event: Any) -> str:
    return (event.pgh_context.metadata.get("reason") or "") if event.pgh_context else ""
