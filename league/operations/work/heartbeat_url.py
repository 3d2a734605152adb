"""Calls of HEARTBEAT_URL after each successful backup, and after each successful nightly computation of standings.

The URL belongs to an external monitor that alarms if a call is missing. Only such a monitor can notice that the whole
machine is off.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from urllib.request import Request, urlopen

import structlog
from django.conf import settings

from league.operations.work.health import health

log = structlog.get_logger(__name__)

CALL_TIMEOUT: Final = 10  # seconds


def call_heartbeat_url_if_healthy(now: datetime) -> None:
    """Call HEARTBEAT_URL, if it is set, unless a status check is red or the last computation of standings is too old.

    A failed call is not repeated, since the monitor alarms.
    """
    if not settings.HEARTBEAT_URL:
        return
    report = health(now)
    if not report.is_healthy:
        log.warning("heartbeat_not_sent", red=sorted(report.red_checks()), in_time=report.has_recent_run)
        return
    try:
        with urlopen(Request(settings.HEARTBEAT_URL), timeout=CALL_TIMEOUT):  # noqa: S310  http or https, as settings check
            log.info("heartbeat_sent")
    except (OSError, ValueError) as error:
        log.warning("heartbeat_not_sent", error=str(error))
