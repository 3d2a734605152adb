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

WAIT: Final = 10  # seconds


def call_if_healthy(now: datetime) -> None:
    """Call HEARTBEAT_URL if no status check is red and the last computation of standings is recent enough.

    A failed call is not repeated, since the monitor alarms.
    """
    if not settings.HEARTBEAT_URL:
        return
    report = health(now)
    if not report.healthy:
        log.warning("heartbeat_not_sent", red=sorted(report.red()), in_time=report.in_time)
        return
    try:
        with urlopen(Request(settings.HEARTBEAT_URL), timeout=WAIT):  # noqa: S310  http or https, as settings check
            log.info("heartbeat_sent")
    except (OSError, ValueError) as error:
        log.warning("heartbeat_not_sent", error=str(error))
