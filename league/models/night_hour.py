"""When the night is."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings


def next_night(now: datetime) -> datetime:
    """Return the first moment after `now` at which the configured hour begins."""
    local = now.astimezone(ZoneInfo(settings.TIME_ZONE))
    night = local.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0)
    return night if night > local else night + timedelta(days=1)
