"""What was changed after an evening's results were public: one line a correction, from the history. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from league.models import Deal, Evening, Table
from league.models.evening import EveningState


class Erratum(NamedTuple):
    """One correction: when, of what, what was done, and why; `address` leads to what stands now."""

    at: datetime
    where: str
    what: str
    reason: str
    address: str


def errata(evening: Evening) -> list[Erratum]:
    """Return every correction since the evening was closed for the first time, the newest first; four queries."""
    closed = _events("EveningEvent", pgh_obj=evening, state=EveningState.CLOSED).order_by("pgh_id").first()
    if closed is None:
        return []
    since = {"pgh_created_at__gt": closed.pgh_created_at}
    tables = {table.pk: table for table in Table.objects.of_evenings([evening])}
    seats = _events("SeatEvent", table__in=tables)
    deals = _events("DealEvent", table__in=tables).select_related("pgh_context", "pgh_obj")
    reopened = _events("EveningEvent", pgh_obj=evening, state=EveningState.OPEN, **since)
    found = [
        *_of_deals(deals.order_by("pgh_id"), tables, closed.pgh_created_at),
        *_of_seats(seats.order_by("pgh_id"), tables, closed.pgh_created_at),
        *_of_evening(reopened, evening),
    ]
    return sorted(found, key=lambda each: each.at, reverse=True)


def _events(name: str, **lookup: object) -> QuerySet[Any]:
    """Return rows of a history; its models are made by `tracked` and have no module."""
    history: type[Model] = apps.get_model("league", name)
    return history._default_manager.filter(**lookup).select_related("pgh_context")


def _of_deals(events: Iterable[Any], tables: dict[int, Table], closed: datetime) -> Iterator[Erratum]:
    """Of all events of the deals, in their order, those after the closing that made a new version."""
    versions: dict[int, int] = {}
    for event in events:
        deal: Deal = event.pgh_obj
        changed = versions.get(deal.pk) != event.version  # a deal that was only checked off stays as it was
        versions[deal.pk] = event.version
        if not changed or event.pgh_created_at <= closed:
            continue
        if event.pgh_label == "insert":
            what = _("%(deal)s was recorded late.")
        elif event.voided_at is not None:
            what = _("A deal was voided.")
        else:
            what = _("%(deal)s was revised.")
        where = _where(tables[event.table_id])
        yield Erratum(event.pgh_created_at, where, what % {"deal": deal}, _reason(event), deal.get_absolute_url())


def _of_seats(events: Iterable[Any], tables: dict[int, Table], closed: datetime) -> Iterator[Erratum]:
    """One line for all seats of a table that one act changed; what stands on the paper beside the deals is none."""
    told = set()
    stood: dict[int, tuple[object, ...]] = {}
    for event in events:
        stands = (event.pgh_label, event.table_id, event.number, event.player_id, event.written, event.written_deals)
        before, stood[event.pgh_obj_id] = stood.get(event.pgh_obj_id), stands
        if event.pgh_created_at <= closed or (before and before[1:] == stands[1:]):
            continue
        act = (event.pgh_context_id or event.pgh_created_at, event.table_id)
        if act not in told:
            told.add(act)
            table = tables[event.table_id]
            what = _("Seats or written totals were changed.")
            yield Erratum(event.pgh_created_at, _where(table), what, _reason(event), table.get_absolute_url())


def _of_evening(events: Iterable[Any], evening: Evening) -> Iterator[Erratum]:
    for event in events:
        what = _("The evening was opened again.")
        yield Erratum(event.pgh_created_at, str(evening), what, _reason(event), evening.get_absolute_url())


def _where(table: Table) -> str:
    return f"{table.round}, {table}"


def _reason(event: Any) -> str:
    return (event.pgh_context.metadata.get("reason") or "") if event.pgh_context else ""
