"""Evenings and tournaments as an iCalendar file (RFC 5545)."""

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

from league.models import Evening, Tournament
from league.models.evening import EveningState
from league.models.tournament import TournamentState
from players.names import normalize_spaces

USUAL_LENGTH: Final = timedelta(hours=4)  # an evening has no planned end, so this is assumed
TOURNAMENT_LENGTH: Final = timedelta(hours=6)  # assumed, too
REFRESH_INTERVAL: Final = timedelta(hours=4)


def evenings_with_changes(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Annotate evenings with `changed_at` and `changes`: time of the last change, and number of changes."""
    # An imported evening may have no history.
    changed_at = Coalesce(Max("events__pgh_created_at"), "season__founded_at")
    return evenings.annotate(changed_at=changed_at, changes=Count("events"))


def tournaments_with_changes(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Annotate tournaments with `changed_at` and `changes`: time of the last change, and number of changes."""
    changed_at = Coalesce(Max("events__pgh_created_at"), "created_at")
    return tournaments.annotate(changed_at=changed_at, changes=Count("events"))


def render_calendar(name: str, evenings: Iterable[Evening], site: str, tournaments: Iterable[Tournament] = ()) -> bytes:
    """Return the content of an iCalendar file.

    `name` is the title of the calendar, `site` the absolute URL of this server. Fetch the rows with their clubs and by
    `evenings_with_changes` or `tournaments_with_changes`.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//League manager//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", normalize_spaces(name))  # its line breaks are not escaped
    calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"value": "DURATION"})
    for evening in evenings:
        calendar.add_component(_evening_event(evening, site))
    for tournament in tournaments:
        calendar.add_component(_tournament_event(tournament, site))
    return bytes(calendar.to_ical())


def _evening_event(evening: Evening, site: str) -> Event:
    event = _event(evening, site, f"evening-{evening.pk}", USUAL_LENGTH)
    event.add("summary", f"{evening.season.club}{_(': ')}{evening.name or evening.season}")
    event.add("description", "\n".join(_description_lines(evening)))
    event.add("status", "CANCELLED" if evening.state == EveningState.CANCELLED else "CONFIRMED")
    return event


def _tournament_event(tournament: Tournament, site: str) -> Event:
    event = _event(tournament, site, f"tournament-{tournament.pk}", TOURNAMENT_LENGTH)
    event.add("summary", f"{tournament.club}{_(': ')}{tournament}")
    event.add("description", _("Tournament"))
    event.add("status", "CANCELLED" if tournament.state == TournamentState.CANCELLED else "CONFIRMED")
    return event


def _event(row: Evening | Tournament, site: str, name: str, length: timedelta) -> Event:
    event = Event()
    # The uid must not depend on the host name of the request.
    event.add("uid", f"{name}@{urlsplit(settings.SITE_ADDRESS or site).hostname}")
    changed_at = row.changed_at.astimezone(UTC).replace(microsecond=0)  # type: ignore[union-attr]
    event.add("dtstamp", changed_at)
    event.add("last-modified", changed_at)
    event.add("sequence", max(row.changes - 1, 0))  # type: ignore[union-attr]
    if row.begins is None:
        event.add("dtstart", row.date)
    else:
        event.add("dtstart", row.begins.astimezone(UTC))
        event.add("dtend", row.begins.astimezone(UTC) + length)
    if row.where:
        event.add("location", row.where)
    event.add("url", f"{site}{row.get_absolute_url()}")
    return event


def _description_lines(evening: Evening) -> list[str]:
    lines = [str(evening.season)]
    if evening.season_final:
        lines.append(_("The season's final"))
    if evening.weight > 1:
        lines.append(
            ngettext("Counts %(number)s time", "Counts %(number)s times", evening.weight) % {"number": evening.weight}
        )
    return lines
