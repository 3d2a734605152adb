"""When a backup is to be made, and when one is to be tried. It is asked each minute: a machine may be off at night."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils.timezone import localtime

from league.models import Check
from league.models.check import CheckKind

AHEAD: Final = timedelta(hours=1)  # that clocks may differ
AFTER_NIGHT: Final = timedelta(hours=1)
AFTER_VERIFICATION: Final = timedelta(hours=3)
AGAIN: Final = {CheckKind.BACKUP: timedelta(hours=1), CheckKind.DRILL: timedelta(days=1)}  # after one that failed


def backup_is_due(now: datetime) -> bool:
    """Return whether none was made since tonight's hour for it; two queries at most."""
    return _is_due(CheckKind.BACKUP, now, since=last_hour(now))


def drill_is_due(now: datetime) -> bool:
    """Return whether no backup was tried since Sunday's hour for it; two queries at most."""
    return _is_due(CheckKind.DRILL, now, since=last_sunday(now))


def last_sunday(now: datetime) -> datetime:
    """Return the last moment at which a backup was to be tried: three hours after Sunday's night begins."""
    local = localtime(now)
    sunday = local - timedelta(days=local.isoweekday() % 7)
    at = sunday.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0, fold=0) + AFTER_VERIFICATION
    return at if at <= local else at - timedelta(days=7)


def last_hour(now: datetime) -> datetime:
    """Return the last moment at which a backup was to be made: an hour after the night's work begins."""
    local = localtime(now)
    at = local.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0, fold=0) + AFTER_NIGHT
    return at if at <= local else at - timedelta(days=1)


def _is_due(kind: CheckKind, now: datetime, *, since: datetime) -> bool:
    """Return whether none of this kind has ended well since then, nor failed a moment ago."""
    of_kind = Check.objects.filter(kind=kind, ended_at__lte=now + AHEAD)  # a clock that ran ahead puts nothing off
    last = of_kind.first()
    if last is not None and not last.ok and now - last.ended_at < AGAIN[kind]:
        return False
    return not of_kind.filter(ok=True, ended_at__gte=since).exists()
