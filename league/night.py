"""When the night is, and how to ask for its work at once. Knows the clock and the queue, nothing of what runs then."""

import logging
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

# Somebody waits for the page: one more try at once, not six seconds of them.
IMPATIENT = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
    "socket_connect_timeout": 2,
    "socket_timeout": 2,
}


def next_night(now: datetime) -> datetime:
    """The first moment after `now` at which the configured hour begins."""
    local = now.astimezone(ZoneInfo(settings.TIME_ZONE))
    night = local.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0)
    return night if night > local else night + timedelta(days=1)


def ask_for_run() -> None:
    """Ask a worker to look now at what is due. Call it after the commit.

    A queue that is down fails nothing: what is due stands in the database, and the next tick finds it.
    """
    from league.celery import app  # not before the models are loaded: this module is one of their imports

    try:
        with app.connection_for_write(transport_options=IMPATIENT) as connection:
            app.send_task("players.tasks.tick", connection=connection, retry=False)
    except OperationalError as error:
        logger.warning("No run was asked for, the next tick will find what is due: %s", error)
