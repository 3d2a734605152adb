"""The times of backups and restore drills. Checked each minute: a machine may be off at night."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils.timezone import localtime

from league.models import Check
from league.models.check import CheckKind

CLOCK_ERROR: Final = timedelta(hours=1)
AFTER_NIGHT: Final = timedelta(hours=1)
AFTER_VERIFICATION: Final = timedelta(hours=3)
RETRY_DELAY: Final = {CheckKind.BACKUP: timedelta(hours=1), CheckKind.DRILL: timedelta(days=1)}  # after a failure


def backup_is_due(now: datetime) -> bool:
    """Return whether no backup was made since tonight's hour; two queries at most."""
    return _is_due(CheckKind.BACKUP, now, since=last_backup_time(now))


def drill_is_due(now: datetime) -> bool:
    """Return whether no drill was made since Sunday's hour; two queries at most."""
    return _is_due(CheckKind.DRILL, now, since=last_drill_time(now))


def last_drill_time(now: datetime) -> datetime:
    """Three hours after Sunday's nightly run."""
    local = localtime(now)
    sunday = local - timedelta(days=local.isoweekday() % 7)
    moment = sunday.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0, fold=0) + AFTER_VERIFICATION
    return moment if moment <= local else moment - timedelta(days=7)


def last_backup_time(now: datetime) -> datetime:
    """An hour after the nightly run."""
    local = localtime(now)
    moment = local.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0, fold=0) + AFTER_NIGHT
    return moment if moment <= local else moment - timedelta(days=1)


def _is_due(kind: CheckKind, now: datetime, *, since: datetime) -> bool:
    """Return whether none has succeeded since then, nor failed a moment ago."""
    of_kind = Check.objects.filter(kind=kind, ended_at__lte=now + CLOCK_ERROR)  # a wrong clock must not postpone it
    last = of_kind.first()
    if last is not None and not last.ok and now - last.ended_at < RETRY_DELAY[kind]:
        return False
    return not of_kind.filter(ok=True, ended_at__gte=since).exists()
