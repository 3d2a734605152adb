"""The status checks of the installation: one for each kind of failure that could go unnoticed. They write nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.db import InternalError, OperationalError, connection, transaction
from django.db.models import Count, F, Min, Q, Subquery
from django.db.models.functions import Coalesce
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions.notifications import EMAIL_JOB_KIND
from league.models import Check, Evening, Job, Notification, PendingRecompute, Run, Table
from league.models.check import CheckKind
from league.models.evening import EveningState
from league.models.job import JobState
from league.models.notification import NotificationState
from league.models.round import RoundState
from league.operations.work import releases
from league.operations.work.backups.store import (
    BACKUP_NAME_PATTERN,
    FolderState,
    backups_are_configured,
    disk_space,
    folder_state,
    name_in_summary,
)
from league.operations.work.heartbeats import ProcessState, clock_state, queue_states
from players.dates import date_format
from players.models import display_name

MAX_TIME_BETWEEN_RUNS = timedelta(
    hours=26
)  # longest time between the ends of nightly runs: a day, and two hours for the run
# Folders whose disks are checked, besides BACKUP_FOLDER: of the program (with the data of `make run`), and of the
# PostgreSQL of Debian.
DISK_FOLDERS: Final = (str(settings.BASE_DIR), "/var/lib/postgresql")
MAX_TIME_BETWEEN_WEEKLY_JOBS = timedelta(days=8)  # longest time between weekly jobs: a week and a day
SHEETS_PERIOD = timedelta(days=30)  # closed evenings of this period are checked for missing score sheets
NOON = timedelta(hours=12)  # after midnight; an evening may last past midnight, but not past noon
MAX_EMAIL_DELAY = timedelta(hours=1)  # delays up to it are usual: mail servers postpone emails of unknown senders
FAILED_EMAIL_SHOWN_FOR = timedelta(days=1)  # after it, a failed email no longer turns the check amber
MAX_TICK_DELAY = timedelta(minutes=10)  # longest delay of work that a tick begins; a tick comes each minute
DETAIL_LIMIT = 12  # details that are listed; the number of further details is shown


class Colour(StrEnum):
    """The state of a status check. Pages also show it by text and shape."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    GREY = "grey"

    @property
    def word(self) -> str:
        return {
            Colour.GREEN: _("All is well"),
            Colour.AMBER: _("Worth a look"),
            Colour.RED: _("Needs you"),
            Colour.GREY: _("Nothing yet"),
        }[self]


class Detail(NamedTuple):
    text: str
    address: str = ""


@dataclass(frozen=True)
class StatusCheck:
    title: str
    colour: Colour
    message: str
    details: tuple[Detail, ...] = ()


def all_checks(now: datetime) -> list[StatusCheck]:
    """Return the status checks for the admins' page, in its order."""
    last_run = Run.objects.exclude(state=Run.State.RUNNING).first()
    checks = [_last_run_check(last_run, now), *monitored_checks(now).values()]
    checks += [_sheets_check(now), _queue_check(now), _jobs_check(now), _emails_check(now)]
    return [*checks, _release_check()] if settings.RELEASES_FEED else checks


def monitored_checks(now: datetime) -> dict[str, StatusCheck]:
    """Return the status checks that the health report and emails to the admins include, by name."""
    checks = {check.kind: check for check in Check.objects.latest_of_each_kind()}
    backups = folder_state()
    return {
        "recompute": _recompute_check(),
        "verification": _verification_check(checks.get(CheckKind.VERIFY), now),
        "backup": _backup_check(checks.get(CheckKind.BACKUP), backups, now),
        **({"copy": _copy_check(checks.get(CheckKind.COPY), now)} if settings.BACKUP_COPY_TO else {}),
        "drill": _drill_check(checks.get(CheckKind.DRILL), backups, now),
        "disk": _disk_check(backups),
        "worker": _worker_check(now),
        "clock": _clock_check(now),
    }


def _last_run_check(last: Run | None, now: datetime) -> StatusCheck:
    title = _("Last run")
    if last is None:
        return StatusCheck(title, Colour.GREY, _("None yet. One comes each night, and when an evening is closed."))
    end = last.finished_at or last.started_at
    time = _time_text(end)
    details = (Detail(_("This run"), last.get_absolute_url()),)
    if last.state == Run.State.FAILED:
        words = _("It failed on %(at)s: what it had still to do stays due, and is tried again.")
        return StatusCheck(title, Colour.RED, words % {"at": time}, details)
    if now - end >= MAX_TIME_BETWEEN_RUNS:
        words = _("It ended on %(at)s, and one should come each night. Do the worker and the clock (Celery beat) run?")
        return StatusCheck(title, Colour.RED, words % {"at": time}, details)
    return StatusCheck(title, Colour.GREEN, _("It ended on %(at)s and did its work.") % {"at": time}, details)


def _recompute_check() -> StatusCheck:
    title = _("Standings and ratings")
    failed = failed_recomputes()
    if not failed:
        return StatusCheck(title, Colour.GREEN, _("What the last runs were to compute, they computed."))
    words = _(
        "The last run that was to compute these failed: %(parts)s. They stay as they were before, and each night tries "
        "again."
    )
    details = tuple(Detail(name, run.get_absolute_url()) for name, run in failed.items())
    return StatusCheck(title, Colour.RED, words % {"parts": ", ".join(failed)}, details)


def failed_recomputes() -> dict[str, Run]:
    """Return the seasons and games whose last computation failed: the failed run by the name of the season or game.

    Failures before the last successful nightly run are left out, since that run computed all pending work. Only the
    newest DETAIL_LIMIT failed runs are read.
    """
    good = Run.objects.filter(state=Run.State.DONE, trigger=Run.Trigger.NIGHT).order_by("-pk").values("pk")[:1]
    since = Coalesce(Subquery(good), 0)
    failed: dict[str, Run] = {}
    for run in Run.objects.filter(state=Run.State.FAILED, pk__gt=since).order_by("-pk")[:DETAIL_LIMIT]:
        for row in run.failed:
            computed = (
                Q(games__contains=[{"game": row["game"]}])
                if row["game"]
                else Q(seasons__contains=[{"season": row["season"]}])
            )
            name = row["game"] or row["name"]
            if (
                len(failed) < DETAIL_LIMIT
                and name not in failed
                and not Run.objects.filter(computed, pk__gt=run.pk).exists()
            ):
                failed[name] = run
    return failed


def _verification_check(last: Check | None, now: datetime) -> StatusCheck:
    title = _("Stored numbers")
    if last is None:
        words = _("Not derived again yet. It is done each Sunday; “manage.py verify” does it now.")
        return StatusCheck(title, Colour.GREY, words)
    time = _time_text(last.ended_at)
    if not last.ok:
        words = ngettext(
            "Derived again on %(at)s: %(count)d of them did not follow from the facts. The log names it.",
            "Derived again on %(at)s: %(count)d of them did not follow from the facts. The log names each.",
            last.found,
        )
        details = tuple(Detail(line) for line in last.summary.splitlines())
        return StatusCheck(title, Colour.RED, words % {"at": time, "count": last.found}, details)
    if now - last.ended_at >= MAX_TIME_BETWEEN_WEEKLY_JOBS:
        words = _(
            "They were last derived again on %(at)s, and should be each Sunday. Does the clock (Celery beat) run?"
        )
        return StatusCheck(title, Colour.RED, words % {"at": time})
    return StatusCheck(title, Colour.GREEN, _("Derived again on %(at)s: each followed from the facts.") % {"at": time})


def _backup_check(last: Check | None, backups: FolderState | None, now: datetime) -> StatusCheck:
    title = _("Backup")
    if backups and backups.problem:
        words = _("The folder of the backups, %(folder)s, can’t be read: %(why)s. Is its disk mounted?")
        return StatusCheck(title, Colour.RED, words % {"folder": backups.folder, "why": backups.problem})
    if backups and backups.read_only:
        words = _("Nothing can be written into the folder of the backups, %(folder)s. Whose is it?")
        return StatusCheck(title, Colour.RED, words % {"folder": backups.folder})
    if last is None:
        words = _("None was made yet. “manage.py backup” makes one; docs/watching.md sets one up for each night.")
        return StatusCheck(title, Colour.GREY, words)
    params = {"at": _time_text(last.ended_at), "what": last.summary}
    if not last.ok:
        return StatusCheck(title, Colour.RED, _("The one of %(at)s failed: %(what)s") % params)
    if backups and (error := _missing_backup_text(backups, last)):
        return StatusCheck(title, Colour.RED, error)
    if backups and BACKUP_NAME_PATTERN.fullmatch(name := name_in_summary(last.summary)) and name not in backups.names:
        words = _("%(name)s, made on %(at)s, is not in %(folder)s any more. The newest there is %(newest)s.")
        params |= {"name": name, "folder": backups.folder, "newest": backups.newest}
        return StatusCheck(title, Colour.AMBER, words % params)
    if backups_are_configured() and now - last.ended_at >= MAX_TIME_BETWEEN_RUNS:
        words = _("The last one is of %(at)s, and one should come each night. Does the clock (Celery beat) run?")
        return StatusCheck(title, Colour.RED, words % params)
    if now - last.ended_at >= MAX_TIME_BETWEEN_WEEKLY_JOBS:
        return StatusCheck(title, Colour.AMBER, _("The last one is more than a week old: %(at)s, %(what)s.") % params)
    return StatusCheck(title, Colour.GREEN, _("The last one was made on %(at)s: %(what)s.") % params)


def _copy_check(last: Check | None, now: datetime) -> StatusCheck:
    """Check the copies of backups on another server. `last` is the newest attempt.

    After a failure the status is amber, since copying is tried again each hour; it is red if the last success is too
    old.
    """
    title = _("Copy of the backup")
    params = {"place": settings.BACKUP_COPY_TO}
    if last is None:
        return StatusCheck(title, Colour.GREY, _("None was made yet in %(place)s. One follows each backup.") % params)
    params |= {"at": _time_text(last.ended_at), "what": last.summary}
    if not last.ok:
        recent = Check.objects.filter(kind=CheckKind.COPY, ok=True, ended_at__gt=now - MAX_TIME_BETWEEN_RUNS)
        colour = Colour.AMBER if recent.exists() else Colour.RED
        words = _("The one of %(at)s to %(place)s failed, and is tried again each hour: %(what)s")
        return StatusCheck(title, colour, words % params)
    if now - last.ended_at >= MAX_TIME_BETWEEN_RUNS:
        words = _("The last one in %(place)s is of %(at)s, and one should follow each backup. Does the worker run?")
        return StatusCheck(title, Colour.RED, words % params)
    words = _("The last one was made in %(place)s on %(at)s, and read back: %(what)s.")
    return StatusCheck(title, Colour.GREEN, words % params)


def _missing_backup_text(backups: FolderState, last: Check) -> str:
    """Return a sentence if BACKUP_FOLDER has no backup at all, else ""."""
    if backups.newest or name_in_summary(last.summary) in backups.names:
        return ""
    words = _("%(folder)s holds no backup; the last was of %(at)s: %(what)s. Is its disk mounted?")
    return words % {"folder": backups.folder, "at": _time_text(last.ended_at), "what": last.summary}


def _drill_check(last: Check | None, backups: FolderState | None, now: datetime) -> StatusCheck:
    title = _("Restore drill")
    if last is None:
        words = _("No backup was tried yet. “manage.py restore_drill” tries one; set up, each Sunday does.")
        return StatusCheck(title, Colour.GREY, words)
    params = {"at": _time_text(last.ended_at), "what": last.summary}
    if not last.ok:
        return StatusCheck(title, Colour.RED, _("The one of %(at)s failed: %(what)s") % params)
    if backups and (backups.problem or _missing_backup_text(backups, last)):
        words = _("%(what)s was restored aside and verified on %(at)s, and no backup lies in %(folder)s now.")
        return StatusCheck(title, Colour.AMBER, words % (params | {"folder": backups.folder}))
    if now - last.ended_at >= MAX_TIME_BETWEEN_WEEKLY_JOBS:
        words = _("A backup was last tried on %(at)s, and should be each week. Does the clock (Celery beat) run?")
        return StatusCheck(title, Colour.RED if backups_are_configured() else Colour.AMBER, words % params)
    return StatusCheck(
        title, Colour.GREEN, _("The backup was restored aside and verified on %(at)s: %(what)s.") % params
    )


def _disk_check(backups: FolderState | None) -> StatusCheck:
    title = _("Disk")
    if problem := _write_problem():
        words = _("PostgreSQL can’t write: %(why)s. Is its disk full?")
        return StatusCheck(title, Colour.RED, words % {"why": problem})
    spaces = [disk_space(folder) for folder in DISK_FOLDERS if Path(folder).is_dir()]
    if backups and backups.space:
        spaces.append(backups.space)
    tightest = min(spaces, key=lambda space: (space.free >= space.required, space.free / space.recommended))
    params = {"folder": tightest.folder}
    params |= {"free": filesizeformat(tightest.free), "wanted": filesizeformat(tightest.recommended)}
    if tightest.free < tightest.recommended:
        words = _(
            "%(free)s are free where %(folder)s lies. There should be %(wanted)s: room for ten more backups, and 1 GB "
            "at least. A full disk stops backups, and the whole site if the database lies there, too."
        )
        return StatusCheck(title, Colour.RED if tightest.free < tightest.required else Colour.AMBER, words % params)
    if backups and backups.problem:
        return StatusCheck(
            title, Colour.AMBER, _("How much is free for %(folder)s can’t be told.") % {"folder": backups.folder}
        )
    return StatusCheck(title, Colour.GREEN, _("%(free)s are free where %(folder)s lies.") % params)


def _write_problem() -> str:
    """Return the error message if PostgreSQL cannot write to its disk, else "".

    The query needs more memory than work_mem, so PostgreSQL writes a temporary file of some hundred kB. Unlike an
    INSERT, this always uses new disk space, writes no log, and leaves nothing behind.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL work_mem = 64")  # kB, the smallest possible value
            cursor.execute("SELECT count(*) FROM generate_series(1, 20000)")
    except (OperationalError, InternalError) as error:
        if not connection.is_usable():  # the database is unreachable
            raise
        return str(error).strip()
    return ""


def _worker_check(now: datetime) -> StatusCheck:
    title = _("Workers")
    states = queue_states(now)
    silent = [name for name, state in states.items() if state is ProcessState.SILENT]
    if silent:
        words = _("No worker has read these queues for 10 minutes: %(queues)s. Do the workers and the clock run?")
        return StatusCheck(title, Colour.RED, words % {"queues": ", ".join(silent)})
    if ProcessState.UNKNOWN in states.values():
        return StatusCheck(title, Colour.GREY, _("No message has come to every queue yet. One comes each minute."))
    return StatusCheck(title, Colour.GREEN, _("Every queue was read within the last 10 minutes."))


def _clock_check(now: datetime) -> StatusCheck:
    title = _("Clock")
    match clock_state(now):
        case ProcessState.ALIVE:
            return StatusCheck(
                title, Colour.GREEN, _("The clock (Celery beat) sent a message within the last 10 minutes.")
            )
        case ProcessState.UNKNOWN:
            return StatusCheck(
                title, Colour.GREY, _("The clock (Celery beat) has sent no message yet. It does each minute.")
            )
    return StatusCheck(title, Colour.RED, _("The clock (Celery beat) has sent no message for 10 minutes. Does it run?"))


def _sheets_check(now: datetime) -> StatusCheck:
    title = _("Sheets")
    closed = Evening.objects.closed().filter(date__gte=(localtime(now) - SHEETS_PERIOD).date())
    tables = Table.objects.incomplete().filter(round__evening__in=closed, round__state=RoundState.ACCEPTED)
    missing = Counter(tables.values_list("round__evening", flat=True))
    evenings = Evening.objects.filter(Q(state=EveningState.OPEN) | Q(pk__in=missing)).with_season()
    ordered = evenings.order_by("season__club__name", "season__club", "date", "pk")
    details = [
        detail for evening in ordered if (detail := _unfinished_evening_detail(evening, missing[evening.pk], now))
    ]
    if not details:
        words = _("None of the last 30 days is missing, and no evening was left open.")
        return StatusCheck(title, Colour.GREEN, words)
    words = _("Some are missing, or evenings were left open. A table without them does not count.")
    return StatusCheck(title, Colour.AMBER, words, _first_details(details))


def _unfinished_evening_detail(evening: Evening, missing: int, now: datetime) -> Detail | None:
    """Describe an evening that was left open, or a closed evening with `missing` score sheets.

    Return None for an open evening until noon of the next day, in the club's time zone.
    """
    params = {"club": evening.season.club, "evening": evening, "number": missing}
    if evening.state == EveningState.OPEN:
        if localtime(now - NOON, evening.season.club.zone).date() <= evening.date:
            return None
        return Detail(_("%(club)s, %(evening)s: still open") % params, evening.get_absolute_url())
    words = ngettext(
        "%(club)s, %(evening)s: %(number)d sheet is missing",
        "%(club)s, %(evening)s: %(number)d sheets are missing",
        missing,
    )
    return Detail(words % params, reverse("league:sheets", args=[evening.pk]))


def _queue_check(now: datetime) -> StatusCheck:
    title = _("Queue")
    late = PendingRecompute.objects.filter(not_before__lt=now - MAX_TICK_DELAY).aggregate(
        count=Count("pk"), first=Min("not_before")
    )
    if not late["count"]:
        return StatusCheck(title, Colour.GREEN, _("Nothing waits whose time has come."))
    words = ngettext(
        "%(count)d thing has been due since %(at)s, and no run did it. Do the worker and the clock (Celery beat) run?",
        "%(count)d things have been due, the first since %(at)s, and no run did them. "
        "Do the worker and the clock (Celery beat) run?",
        late["count"],
    )
    return StatusCheck(title, Colour.AMBER, words % {"count": late["count"], "at": _time_text(late["first"])})


def _jobs_check(now: datetime) -> StatusCheck:
    title = _("Background jobs")
    late = Q(state=JobState.WAITING, due_at__lt=now - MAX_TICK_DELAY)
    jobs = Job.objects.aggregate(failed=Count("pk", filter=Q(state=JobState.FAILED)), late=Count("pk", filter=late))
    details = (Detail(title, reverse("league:jobs")),)
    if jobs["failed"]:
        words = ngettext(
            "%(count)d has failed. It can be tried again once its cause is removed.",
            "%(count)d have failed. They can be tried again once their cause is removed.",
            jobs["failed"],
        )
        return StatusCheck(title, Colour.AMBER, words % {"count": jobs["failed"]}, details)
    if jobs["late"]:
        words = ngettext(
            "%(count)d has waited for more than 10 minutes. Do the workers and the clock (Celery beat) run?",
            "%(count)d have waited for more than 10 minutes. Do the workers and the clock (Celery beat) run?",
            jobs["late"],
        )
        return StatusCheck(title, Colour.AMBER, words % {"count": jobs["late"]}, details)
    return StatusCheck(title, Colour.GREEN, _("None has failed, and none waits for long."))


def _emails_check(now: datetime) -> StatusCheck:
    title = _("E-mails")
    last_failure = Check.objects.filter(kind=CheckKind.LETTER).first()
    notifications = list(Notification.objects.overdue_or_uncertain(now, MAX_EMAIL_DELAY))
    uncertain = [notification for notification in notifications if notification.state == NotificationState.CLAIMED]
    # A job for a retry is due later than created; a job for the first email of a registration is due at once.
    failed_or_late = Q(due_at__gt=F("created_at")) | Q(created_at__lt=now - MAX_EMAIL_DELAY)
    email_jobs = Job.objects.open().filter(failed_or_late, kind=EMAIL_JOB_KIND)
    unsent = email_jobs.aggregate(count=Count("pk"), first=Min("created_at"))
    if not notifications and unsent["count"]:
        words = ngettext(
            "%(count)d could not go out on %(at)s, and is tried again. "
            "Does the mail server answer, and the worker run?",
            "%(count)d could not go out, the first on %(at)s, and are tried again. "
            "Does the mail server answer, and the worker run?",
            unsent["count"],
        )
        return StatusCheck(title, Colour.AMBER, words % {"count": unsent["count"], "at": _time_text(unsent["first"])})
    if not notifications and last_failure and now - last_failure.ended_at < FAILED_EMAIL_SHOWN_FOR:
        words = _(
            "On %(at)s one could not go out. It is not sent again; the log says why. Does the mail server answer?"
        )
        return StatusCheck(title, Colour.AMBER, words % {"at": _time_text(last_failure.ended_at)})
    if not notifications:
        return StatusCheck(title, Colour.GREEN, _("Each was sent that was to be."))
    if not uncertain:
        words = ngettext(
            "%(count)d has waited for more than an hour. Does the mail server answer, and the worker run?",
            "%(count)d have waited for more than an hour. Does the mail server answer, and the worker run?",
            len(notifications),
        )
        return StatusCheck(title, Colour.AMBER, words % {"count": len(notifications)})
    words = ngettext(
        "Of %(count)d nobody knows whether it went out: the worker or the mail server ended meanwhile. "
        "It is not sent again.",
        "Of %(count)d nobody knows whether they went out: the worker or the mail server ended meanwhile. "
        "They are not sent again.",
        len(uncertain),
    )
    details = _first_details([Detail(_email_text(notification)) for notification in uncertain])
    return StatusCheck(title, Colour.AMBER, words % {"count": len(uncertain)}, details)


def _release_check() -> StatusCheck:
    title = _("Release")
    last = Check.objects.filter(kind=CheckKind.FEED).first()
    if last is None:
        return StatusCheck(title, Colour.GREY, _("The list of releases was not read yet. It is read each day."))
    params = {"at": _time_text(last.ended_at), "what": last.summary, "release": settings.RELEASE}
    if not last.ok:
        words = _("The list of releases could not be read on %(at)s: %(what)s")
        return StatusCheck(title, Colour.AMBER, words % params)
    if releases.is_newer_release(last.summary):
        words = _("Release %(what)s is out, and this is %(release)s. Its CHANGELOG.md says what changes.")
        return StatusCheck(title, Colour.AMBER, words % params)
    return StatusCheck(title, Colour.GREEN, _("%(release)s was the newest on %(at)s.") % params)


def _first_details(details: list[Detail]) -> tuple[Detail, ...]:
    hidden = len(details) - DETAIL_LIMIT
    rest = (Detail(_("and %(number)s more") % {"number": hidden}),) if hidden > 0 else ()
    return (*details[:DETAIL_LIMIT], *rest)


def _email_text(notification: Notification) -> str:
    time = _time_text(notification.claimed_at) if notification.claimed_at else ""
    club = [str(notification.club)] if notification.club else []
    return " · ".join([*club, display_name(notification.reader), time, str(notification.get_kind_display())])


def _time_text(moment: datetime) -> str:
    return date_format(localtime(moment), "DATETIME_FORMAT")
