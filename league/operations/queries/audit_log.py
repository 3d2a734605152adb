"""The filtered audit log of a club or of all clubs. Entries about check-ins and fees of an evening become one line."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.db.models import BigIntegerField, Case, Count, F, Max, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Coalesce

from league.models import AuditEntry, Club
from league.models.audit_entry import AuditEvent
from players.models import Player

EVENTS_COMBINED_BY_EVENING: Final = (
    AuditEvent.CHECKED_IN,
    AuditEvent.CHECK_IN_CHANGED,
    AuditEvent.CHECKED_OUT,
    AuditEvent.FEE_PAID,
    AuditEvent.FEE_UNPAID,
)
_WITHOUT_PLAYER: Final = Q(player=None)


def audit_lines(
    club: Club | None,
    *,
    since: datetime,
    until: datetime,
    event: str = "",
    people: QuerySet[Player, Player] | None = None,
) -> QuerySet[Any, Any]:
    """Return the lines of the audit log as (id of the line's newest entry, number), the newest line first.

    The number counts the things that an entry is about, such as players, deals or tables. Usually a line has one entry.
    Entries with an event of EVENTS_COMBINED_BY_EVENING are one line if they have the same event, evening and acting
    user; then the number counts the different players. With `event`, each entry is a line of its own.

    Filters: `club` (with the sign-ins of its members; None: all clubs), `since` (first time), `until` (the time must be
    before it), `event`, and `people` (acting users).
    """
    entries = AuditEntry.objects.filter(logged_at__gte=since, logged_at__lt=until).order_by()
    if club:
        entries = entries.filter(Q(club=club) | Q(event=AuditEvent.SIGNED_IN, params__clubs__contains=club.pk))
    if event:
        entries = entries.filter(event=event)
    if people is not None:
        people = people.order_by()
        logins = people.filter(user__isnull=False).values("user_id")
        entries = entries.filter(Q(user__in=logins) | Q(author__in=people.values("pk")))
    pk = F("pk")
    alone = pk if event else Case(When(event__in=EVENTS_COMBINED_BY_EVENING, then=Value(None)), default=pk)
    entries = entries.annotate(alone=Coalesce(alone, Value(0), output_field=BigIntegerField()))
    lines: QuerySet[Any, Any] = entries.values("alone", "event", "club", "evening", "user", "author")
    lines = lines.annotate(
        number=Count("player", distinct=True) + Coalesce(Sum("count", filter=_WITHOUT_PLAYER), Value(0)),
        latest=Max("logged_at"),
        newest=Max("pk"),
    )
    return lines.order_by("-latest", "-newest").values_list("newest", "number")


def newest_entries(lines: Iterable[tuple[int, int]]) -> list[AuditEntry]:
    """Return the newest entry of each line. One query.

    `lines` are pairs as `audit_lines` returns them. The number of a line becomes the `count` of its entry.
    """
    numbers = dict(lines)
    related = ("user__player", "author", "club", "player", "season", "evening", "round", "table", "deal")
    entries = AuditEntry.objects.select_related(*related).in_bulk(list(numbers))
    for pk, entry in entries.items():
        entry.count = numbers[pk]
    return [entries[pk] for pk in numbers]
