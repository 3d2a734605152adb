"""Report errors to a Sentry server. This module is imported only if SENTRY_DSN is set.

Each error that is logged with its traceback is reported once: in pages, tasks and commands. Sentry's own integrations
are not used, because they would collect requests, queries and log lines. A report has only the fields of an allowlist:
types of exceptions and lines of code. It has no message of an exception, because messages contain values such as
names and addresses. The message is in the log, and a tag of the report has the id of the request or task in the log.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Final, cast

import sentry_sdk
from sentry_sdk.integrations.atexit import AtexitIntegration
from structlog.contextvars import get_contextvars

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

ALLOWED_FIELDS: Final = ("event_id", "timestamp", "platform", "level", "release", "sdk", "tags")
FRAME_FIELDS: Final = (
    "filename",
    "function",
    "module",
    "lineno",
    "pre_context",
    "context_line",
    "post_context",
    "in_app",
)
LOG_ID_NAMES: Final = ("request_id", "task_id")  # names of ids in the log
SHUTDOWN_TIMEOUT: Final = 2  # seconds that an ending process waits until reports are sent
# Marks an exception as reported, because several loggers log the same exception.
REPORTED_ATTRIBUTE: Final = "_league_reported"


def start_reporting(dsn: str, release: str) -> None:
    """Start reporting. `release` is the version number."""
    sentry_sdk.init(
        dsn=dsn,
        release=f"league-manager@{release}",
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[AtexitIntegration(callback=lambda pending, timeout: None)],  # it would print to the log
        before_send=strip_personal_data,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
        server_name="",
        shutdown_timeout=SHUTDOWN_TIMEOUT,
        in_app_include=["league", "players", "scoring"],
    )


def report_error(error: BaseException) -> None:
    """Report an exception once."""
    if getattr(error, REPORTED_ATTRIBUTE, False):
        return
    setattr(error, REPORTED_ATTRIBUTE, True)
    context = get_contextvars()
    with sentry_sdk.new_scope() as scope:
        for name in LOG_ID_NAMES:
            if name in context:
                scope.set_tag(name, str(context[name]))
        scope.capture_exception(error)


def report_logged_error(_logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Report the exception of a log line. This processor of structlog must come before the traceback becomes text."""
    error = event.get("exception") or event.get("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException) and method in ("error", "exception", "critical"):
        report_error(error)
    return event


class ReportHandler(logging.Handler):
    """Report the exceptions that Django, Celery and other libraries log."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            report_error(record.exc_info[1])


def strip_personal_data(event: Event, _hint: Hint) -> Event:
    """Return the event with its allowed fields only. None of these can contain personal data."""
    fields: Mapping[str, Any] = event
    errors = fields.get("exception", {}).get("values", [])
    allowed = {name: fields[name] for name in ALLOWED_FIELDS if name in fields}
    return cast("Event", {**allowed, "exception": {"values": [_strip_error(error) for error in errors]}})


def _strip_error(error: Mapping[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", [])
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "stacktrace": {"frames": [{name: frame.get(name) for name in FRAME_FIELDS} for frame in frames]},
    }
