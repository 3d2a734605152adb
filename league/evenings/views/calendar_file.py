"""Evenings as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count, Max, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from icalendar import Calendar, Event

from league.models import Evening
from league.models.evening import EveningState
from players.names import tidy

USUAL_LENGTH: Final = timedelta(hours=4)  # an evening has no planned end
REFRESH_INTERVAL: Final = timedelta(hours=4)


def with_changes(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    # An imported evening may have no history.
    changed_at = Coalesce(Max("events__pgh_created_at"), "season__founded_at")
    return evenings.annotate(changed_at=changed_at, changes=Count("events"))


def calendar_of(name: str, evenings: Iterable[Evening], site: str) -> bytes:
    """The evenings were fetched with their clubs and `with_changes`; `site` is this server's address."""
    calendar = Calendar()
    calendar.add("prodid", "-//League manager//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", tidy(name))  # its line breaks are not escaped
    calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"value": "DURATION"})
    for evening in evenings:
        calendar.add_component(_event(evening, site))
    return bytes(calendar.to_ical())


def _event(evening: Evening, site: str) -> Event:
    season = evening.season
    event = Event()
    # The uid must not depend on the host name of the request.
    event.add("uid", f"evening-{evening.pk}@{urlsplit(settings.SITE_ADDRESS or site).hostname}")
    changed_at = evening.changed_at.astimezone(UTC).replace(microsecond=0)  # type: ignore[attr-defined]
    event.add("dtstamp", changed_at)
    event.add("last-modified", changed_at)
    event.add("sequence", max(evening.changes - 1, 0))  # type: ignore[attr-defined]
    event.add("summary", f"{season.club}{_(': ')}{evening.name or season}")
    if evening.begins is None:
        event.add("dtstart", evening.date)
    else:
        event.add("dtstart", evening.begins.astimezone(UTC))
        event.add("dtend", evening.begins.astimezone(UTC) + USUAL_LENGTH)
    if evening.where:
        event.add("location", evening.where)
    event.add("description", "\n".join(_description(evening)))
    event.add("url", f"{site}{evening.get_absolute_url()}")
    event.add("status", "CANCELLED" if evening.state == EveningState.CANCELLED else "CONFIRMED")
    return event


def _description(evening: Evening) -> list[str]:
    lines = [str(evening.season)]
    if evening.season_final:
        lines.append(_("The season's final"))
    if evening.weight > 1:
        lines.append(
            ngettext("Counts %(number)s time", "Counts %(number)s times", evening.weight) % {"number": evening.weight}
        )
    return lines
