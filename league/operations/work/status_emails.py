"""Emails to the installation's admins when a status check turns red, and when it recovers.

The web process runs the checks beside a request, at most once a minute, so that they work without Celery. If a check is
red, it is run again after a pause before an email is sent, so that a restart of Redis sends no email.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, Final

import structlog
from django.db import Error, connections, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions.advisory_locks import try_lock
from league.actions.club_emails import absolute_address
from league.models import Check
from league.models.check import CheckKind
from league.operations.work.alarm import send_to_admins
from league.operations.work.check_records import record_check
from league.operations.work.health import BROKER_CHECK, Health, health
from league.operations.work.status_checks import Colour

log = structlog.get_logger(__name__)

CHECK_INTERVAL: Final = 60.0  # seconds


@dataclass
class StatusEmails:
    """Sends the emails about status checks. The newest Check of kind STATUS has the red checks of the last email."""

    unstored_names: set[str] | None = None  # names of red checks in the last email, if PostgreSQL could not store them

    def send_changes(self, report: Health, *, confirmed: set[str]) -> bool:
        """Email the admins about status checks that have recovered, and about red checks with names in `confirmed`.

        Return whether there are red checks that no email has reported yet. Without the database, do nothing.
        """
        if not report.database:  # the addresses of the admins are in the database
            return False
        self._send_email(report, confirmed=confirmed)
        return bool(report.red_checks() - self._notified_checks())

    def _notified_checks(self) -> set[str]:
        if self.unstored_names is not None:
            return self.unstored_names
        newest = Check.objects.filter(kind=CheckKind.STATUS).first()
        return set(newest.summary.split()) if newest else set()

    def _send_email(self, report: Health, *, confirmed: set[str]) -> None:
        try:
            with try_lock("status emails") as is_free:
                if not is_free:
                    return
                new_red, recovered = self._unreported_changes(report, confirmed)
                if not new_red and not recovered:
                    return
                still_red = (self._notified_checks() | new_red) - recovered
                record_check(
                    CheckKind.STATUS,
                    now=timezone.now(),
                    ok=not still_red,
                    problems=len(still_red),
                    summary="\n".join(sorted(still_red)),
                )
                if send_to_admins(*_email_text(report, new_red, recovered)):
                    self.unstored_names = None
                else:
                    transaction.set_rollback(True)  # tried again by the next check
        except Error as error:  # for example a full disk; then each process sends an email of its own
            log.error("status_not_stored", error=str(error))
            new_red, recovered = self._unreported_changes(report, confirmed)
            if (new_red or recovered) and send_to_admins(*_email_text(report, new_red, recovered)):
                self.unstored_names = (self._notified_checks() | new_red) - recovered

    def _unreported_changes(self, report: Health, confirmed: set[str]) -> tuple[set[str], set[str]]:
        """Return the names of newly red checks (among `confirmed`), and of checks that have recovered."""
        notified = self._notified_checks()
        healthy = {name for name, check in report.checks.items() if check.colour in (Colour.GREEN, Colour.AMBER)}
        if report.broker:
            healthy.add(BROKER_CHECK)
        return (report.red_checks() & confirmed) - notified, notified & healthy


def _email_text(report: Health, new_red: set[str], recovered: set[str]) -> tuple[str, str]:
    """Return subject and body. Both sets have names of checks: newly red checks, and checks that have recovered."""
    if new_red:
        subject = _("League manager: needs you: %(checks)s") % {"checks": _check_titles(report, new_red)}
    else:
        subject = _("League manager: well again: %(checks)s") % {"checks": _check_titles(report, recovered)}
    paragraphs = [f"{_check_title(report, name)}: {_check_message(report, name)}" for name in sorted(new_red)]
    if recovered:
        paragraphs.append(_("Well again: %(checks)s.") % {"checks": _check_titles(report, recovered)})
    if still_red := report.red_checks() - new_red:
        paragraphs.append(_("Still red: %(checks)s.") % {"checks": _check_titles(report, still_red)})
    paragraphs.append(_("All status checks: %(watch)s") % {"watch": absolute_address(reverse("league:watch"))})
    if new_red:
        paragraphs.append(_("You get one more email about each when it is well again."))
    return subject, "\n\n".join(paragraphs)


def _check_titles(report: Health, names: Iterable[str]) -> str:
    return ", ".join(_check_title(report, name) for name in sorted(names))


def _check_title(report: Health, name: str) -> str:
    return _("Queue (Redis)") if name == BROKER_CHECK else report.checks[name].title


def _check_message(report: Health, name: str) -> str:
    if name == BROKER_CHECK:
        return _("It does not answer, or takes nothing. Does the service run, and is there space on its disk?")
    return report.checks[name].message


@dataclass
class StatusCheckMiddleware:
    """A WSGI middleware that runs the status checks in a thread beside a request, at most once in `interval`."""

    application: Callable[..., Any]
    interval: float = CHECK_INTERVAL  # seconds
    emails: StatusEmails = field(default_factory=StatusEmails)
    thread: Thread | None = None
    _next_check_at: float = 0.0  # time of the next checks, by the monotonic clock
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Pass the request to the application without waiting for the checks, since a mail server or disk may hang."""
        if monotonic() >= self._next_check_at and self._lock.acquire(blocking=False):
            self._next_check_at = monotonic() + self.interval
            self.thread = Thread(target=self._run_checks, name="status checks", daemon=True)
            self.thread.start()
        return self.application(environ, start_response)

    def _run_checks(self) -> None:
        try:
            report = health(timezone.now())
            if self.emails.send_changes(report, confirmed=set()):
                sleep(self.interval)
                self.emails.send_changes(health(timezone.now()), confirmed=report.red_checks())
        except Exception:
            log.exception("status_check_failed")
        finally:
            connections.close_all()
            self._lock.release()
