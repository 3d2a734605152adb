"""What the installation's admin looks at: one light for each thing that can go wrong unseen. Reads only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.db import InternalError, OperationalError, connection, transaction
from django.db.models import Count, Min, Q, Subquery
from django.db.models.functions import Coalesce
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions.outbox import EMAIL
from league.models import Check, Due, Evening, Job, Letter, Run, Table
from league.models.check import CheckKind
from league.models.evening import EveningState
from league.models.job import JobState
from league.models.letter import LetterState
from league.models.round import RoundState
from league.operations.work.backups.store import OURS, Stock, disk_room, is_set_up, name_in, stock
from league.operations.work.heartbeats import Heartbeat, clock_heartbeat, queue_heartbeats
from players.dates import date_format
from players.models import display_name

PATIENCE = timedelta(hours=26)  # a run comes each night, and may take its time
# Beside the backups': where the program lies, with what `make run` keeps, and where Debian's PostgreSQL writes.
DISKS: Final = (str(settings.BASE_DIR), "/var/lib/postgresql")
WEEK = timedelta(days=8)  # a week, and a day to be late
LOOKED_BACK = timedelta(days=30)
MORNING = timedelta(hours=12)  # an evening may last past midnight, not past noon
PUT_OFF = timedelta(hours=1)  # a mail server that doesn't know us yet asks to try later
REMEMBERED = timedelta(days=1)  # a letter that could not go out
TICKS = timedelta(minutes=10)  # what is due is looked for each minute
NAMED = 12  # evenings, before the rest is only counted


class Colour(StrEnum):
    """How a light burns; each has its own word and shape as well."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    GREY = "grey"

    @property
    def word(self) -> str:
        """What the colour means."""
        return {
            Colour.GREEN: _("All is well"),
            Colour.AMBER: _("Worth a look"),
            Colour.RED: _("Needs you"),
            Colour.GREY: _("Nothing yet"),
        }[self]


class Lead(NamedTuple):
    """Something to look at, and its address, empty if it has none."""

    words: str
    address: str = ""


@dataclass(frozen=True)
class Light:
    """What it is about, how it burns, and why; `leads` names what to look at."""

    about: str
    colour: Colour
    says: str
    leads: tuple[Lead, ...] = ()


def lights(now: datetime) -> list[Light]:
    """Return every light: the last run, the status checks, and what people left open; a dozen queries."""
    last_run = Run.objects.exclude(state=Run.State.RUNNING).first()
    return [_run(last_run, now), *status_checks(now).values(), _sheets(now), _queue(now), _jobs(now), _letters(now)]


def status_checks(now: datetime) -> dict[str, Light]:
    """Return the lights that a monitor reads as fields of /healthz, and of which admins get emails, by field."""
    checks = {check.kind: check for check in Check.objects.latest_of_each()}
    kept = stock()
    return {
        "recompute": _recompute(),
        "verification": _verified(checks.get(CheckKind.VERIFY), now),
        "backup": _backup(checks.get(CheckKind.BACKUP), kept, now),
        "drill": _drill(checks.get(CheckKind.DRILL), kept, now),
        "disk": _disk(kept),
        "worker": _worker(now),
        "clock": _clock(now),
    }


def _run(last: Run | None, now: datetime) -> Light:
    about = _("Last run")
    if last is None:
        return Light(about, Colour.GREY, _("None yet. One comes each night, and when an evening is closed."))
    ended = last.finished_at or last.started_at
    at = _said(ended)
    leads = (Lead(_("This run"), last.get_absolute_url()),)
    if last.state == Run.State.FAILED:
        words = _("It failed on %(at)s: what it had still to do stays due, and is tried again.")
        return Light(about, Colour.RED, words % {"at": at}, leads)
    if now - ended >= PATIENCE:
        words = _("It ended on %(at)s, and one should come each night. Do the worker and the clock (Celery beat) run?")
        return Light(about, Colour.RED, words % {"at": at}, leads)
    return Light(about, Colour.GREEN, _("It ended on %(at)s and did its work.") % {"at": at}, leads)


def _recompute() -> Light:
    about = _("Standings and ratings")
    failing = failing_parts()
    if not failing:
        return Light(about, Colour.GREEN, _("What the last runs were to compute, they computed."))
    words = _(
        "The last run that was to compute these failed: %(parts)s. They stay as they were before, and each night tries "
        "again."
    )
    leads = tuple(Lead(name, run.get_absolute_url()) for name, run in failing.items())
    return Light(about, Colour.RED, words % {"parts": ", ".join(failing)}, leads)


def failing_parts() -> dict[str, Run]:
    """Return the seasons and games whose last computation failed, by name, each with the run of its last failure.

    A good night ends all failures: it computes what is due.
    """
    good = Run.objects.filter(state=Run.State.DONE, trigger=Run.Trigger.NIGHT).order_by("-pk").values("pk")[:1]
    since = Coalesce(Subquery(good), 0)
    failing: dict[str, Run] = {}
    for run in Run.objects.filter(state=Run.State.FAILED, pk__gt=since).order_by("-pk")[:NAMED]:
        for row in run.failed:
            computed = (
                Q(games__contains=[{"game": row["game"]}])
                if row["game"]
                else Q(seasons__contains=[{"season": row["season"]}])
            )
            name = row["game"] or row["name"]
            if (
                len(failing) < NAMED
                and name not in failing
                and not Run.objects.filter(computed, pk__gt=run.pk).exists()
            ):
                failing[name] = run
    return failing


def _verified(last: Check | None, now: datetime) -> Light:
    about = _("Stored numbers")
    if last is None:
        words = _("Not derived again yet. It is done each Sunday; “manage.py verify” does it now.")
        return Light(about, Colour.GREY, words)
    at = _said(last.ended_at)
    if not last.ok:
        words = ngettext(
            "Derived again on %(at)s: %(count)d of them did not follow from the facts. The log names it.",
            "Derived again on %(at)s: %(count)d of them did not follow from the facts. The log names each.",
            last.found,
        )
        named = tuple(Lead(line) for line in last.summary.splitlines())
        return Light(about, Colour.RED, words % {"at": at, "count": last.found}, named)
    if now - last.ended_at >= WEEK:
        words = _(
            "They were last derived again on %(at)s, and should be each Sunday. Does the clock (Celery beat) run?"
        )
        return Light(about, Colour.RED, words % {"at": at})
    return Light(about, Colour.GREEN, _("Derived again on %(at)s: each followed from the facts.") % {"at": at})


def _backup(last: Check | None, kept: Stock | None, now: datetime) -> Light:
    about = _("Backup")
    if kept and kept.problem:
        words = _("The folder of the backups, %(folder)s, can’t be read: %(why)s. Is its disk mounted?")
        return Light(about, Colour.RED, words % {"folder": kept.folder, "why": kept.problem})
    if kept and kept.closed:
        words = _("Nothing can be written into the folder of the backups, %(folder)s. Whose is it?")
        return Light(about, Colour.RED, words % {"folder": kept.folder})
    if last is None:
        words = _("None was made yet. “manage.py backup” makes one; docs/watching.md sets one up for each night.")
        return Light(about, Colour.GREY, words)
    said = {"at": _said(last.ended_at), "what": last.summary}
    if not last.ok:
        return Light(about, Colour.RED, _("The one of %(at)s failed: %(what)s") % said)
    if kept and (lost := _lost(kept, last)):
        return Light(about, Colour.RED, lost)
    if kept and OURS.fullmatch(name := name_in(last.summary)) and name not in kept.names:
        words = _("%(name)s, made on %(at)s, is not in %(folder)s any more. The newest there is %(newest)s.")
        said |= {"name": name, "folder": kept.folder, "newest": kept.newest}
        return Light(about, Colour.AMBER, words % said)
    if is_set_up() and now - last.ended_at >= PATIENCE:
        words = _("The last one is of %(at)s, and one should come each night. Does the clock (Celery beat) run?")
        return Light(about, Colour.RED, words % said)
    if now - last.ended_at >= WEEK:
        return Light(about, Colour.AMBER, _("The last one is more than a week old: %(at)s, %(what)s.") % said)
    return Light(about, Colour.GREEN, _("The last one was made on %(at)s: %(what)s.") % said)


def _lost(kept: Stock, last: Check) -> str:
    """Return why there is no backup in the folder at all, though one was made or tried; an empty text if there is."""
    if kept.newest or name_in(last.summary) in kept.names:
        return ""
    words = _("%(folder)s holds no backup; the last was of %(at)s: %(what)s. Is its disk mounted?")
    return words % {"folder": kept.folder, "at": _said(last.ended_at), "what": last.summary}


def _drill(last: Check | None, kept: Stock | None, now: datetime) -> Light:
    about = _("Restore drill")
    if last is None:
        words = _("No backup was tried yet. “manage.py restore_drill” tries one; set up, each Sunday does.")
        return Light(about, Colour.GREY, words)
    said = {"at": _said(last.ended_at), "what": last.summary}
    if not last.ok:
        return Light(about, Colour.RED, _("The one of %(at)s failed: %(what)s") % said)
    if kept and (kept.problem or _lost(kept, last)):
        words = _("%(what)s was restored aside and verified on %(at)s, and no backup lies in %(folder)s now.")
        return Light(about, Colour.AMBER, words % (said | {"folder": kept.folder}))
    if now - last.ended_at >= WEEK:
        words = _("A backup was last tried on %(at)s, and should be each week. Does the clock (Celery beat) run?")
        return Light(about, Colour.RED if is_set_up() else Colour.AMBER, words % said)
    return Light(about, Colour.GREEN, _("The backup was restored aside and verified on %(at)s: %(what)s.") % said)


def _disk(kept: Stock | None) -> Light:
    about = _("Disk")
    if problem := _write_problem():
        words = _("PostgreSQL can’t write: %(why)s. Is its disk full?")
        return Light(about, Colour.RED, words % {"why": problem})
    rooms = [disk_room(folder) for folder in DISKS if Path(folder).is_dir()]
    if kept and kept.room:
        rooms.append(kept.room)
    tightest = min(rooms, key=lambda room: (room.free >= room.needed, room.free / room.wanted))
    said = {"folder": tightest.folder}
    said |= {"free": filesizeformat(tightest.free), "wanted": filesizeformat(tightest.wanted)}
    if tightest.free < tightest.wanted:
        words = _(
            "%(free)s are free where %(folder)s lies. There should be %(wanted)s: room for ten more backups, and 1 GB "
            "at least. A full disk stops backups, and the whole site if the database lies there, too."
        )
        return Light(about, Colour.RED if tightest.free < tightest.needed else Colour.AMBER, words % said)
    if kept and kept.problem:
        return Light(about, Colour.AMBER, _("How much is free for %(folder)s can’t be told.") % {"folder": kept.folder})
    return Light(about, Colour.GREEN, _("%(free)s are free where %(folder)s lies.") % said)


def _write_problem() -> str:
    """Return why PostgreSQL has no space to write, wherever its disk is; an empty text if it has.

    A function's rows go to a temporary file of some hundred kB where they exceed work_mem: unlike a write of our own,
    that needs new space on the disk, writes no log, and leaves nothing.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL work_mem = 64")  # kB, the least
            cursor.execute("SELECT count(*) FROM generate_series(1, 20000)")
    except (OperationalError, InternalError) as error:
        if not connection.is_usable():  # it has no disk problem, it is away
            raise
        return str(error).strip()
    return ""


def _worker(now: datetime) -> Light:
    about = _("Workers")
    heartbeats = queue_heartbeats(now)
    silent = [name for name, heartbeat in heartbeats.items() if heartbeat is Heartbeat.SILENT]
    if silent:
        words = _("No worker has read these queues for 10 minutes: %(queues)s. Do the workers and the clock run?")
        return Light(about, Colour.RED, words % {"queues": ", ".join(silent)})
    if Heartbeat.UNKNOWN in heartbeats.values():
        return Light(about, Colour.GREY, _("No message has come to every queue yet. One comes each minute."))
    return Light(about, Colour.GREEN, _("Every queue was read within the last 10 minutes."))


def _clock(now: datetime) -> Light:
    about = _("Clock")
    match clock_heartbeat(now):
        case Heartbeat.ALIVE:
            return Light(about, Colour.GREEN, _("The clock (Celery beat) sent a message within the last 10 minutes."))
        case Heartbeat.UNKNOWN:
            return Light(about, Colour.GREY, _("The clock (Celery beat) has sent no message yet. It does each minute."))
    return Light(about, Colour.RED, _("The clock (Celery beat) has sent no message for 10 minutes. Does it run?"))


def _sheets(now: datetime) -> Light:
    about = _("Sheets")
    closed = Evening.objects.closed().filter(date__gte=(localtime(now) - LOOKED_BACK).date())
    tables = Table.objects.incomplete().filter(round__evening__in=closed, round__state=RoundState.ACCEPTED)
    lacking = Counter(tables.values_list("round__evening", flat=True))
    evenings = Evening.objects.filter(Q(state=EveningState.OPEN) | Q(pk__in=lacking)).with_season()
    ordered = evenings.order_by("season__club__name", "season__club", "date", "pk")
    leads = [lead for evening in ordered if (lead := _left(evening, lacking[evening.pk], now))]
    if not leads:
        words = _("None of the last 30 days is missing, and no evening was left open.")
        return Light(about, Colour.GREEN, words)
    more = len(leads) - NAMED
    if more > 0:
        leads[NAMED:] = [Lead(_("and %(number)s more") % {"number": more})]
    words = _("Some are missing, or evenings were left open. A table without them does not count.")
    return Light(about, Colour.AMBER, words, tuple(leads))


def _left(evening: Evening, lacking: int, now: datetime) -> Lead | None:
    """Return what an evening of which `lacking` tables are incomplete still waits for, if anything."""
    said = {"club": evening.season.club, "evening": evening, "number": lacking}
    if evening.state == EveningState.OPEN:
        if localtime(now - MORNING, evening.season.club.zone).date() <= evening.date:
            return None
        return Lead(_("%(club)s, %(evening)s: still open") % said, evening.get_absolute_url())
    words = ngettext(
        "%(club)s, %(evening)s: %(number)d sheet is missing",
        "%(club)s, %(evening)s: %(number)d sheets are missing",
        lacking,
    )
    return Lead(words % said, reverse("league:sheets", args=[evening.pk]))


def _queue(now: datetime) -> Light:
    about = _("Queue")
    late = Due.objects.filter(not_before__lt=now - TICKS).aggregate(count=Count("pk"), first=Min("not_before"))
    if not late["count"]:
        return Light(about, Colour.GREEN, _("Nothing waits whose time has come."))
    words = ngettext(
        "%(count)d thing has been due since %(at)s, and no run did it. Do the worker and the clock (Celery beat) run?",
        "%(count)d things have been due, the first since %(at)s, and no run did them. "
        "Do the worker and the clock (Celery beat) run?",
        late["count"],
    )
    return Light(about, Colour.AMBER, words % {"count": late["count"], "at": _said(late["first"])})


def _jobs(now: datetime) -> Light:
    about = _("Background jobs")
    late = Q(state=JobState.WAITING, due_at__lt=now - TICKS)
    jobs = Job.objects.aggregate(failed=Count("pk", filter=Q(state=JobState.FAILED)), late=Count("pk", filter=late))
    leads = (Lead(about, reverse("league:jobs")),)
    if jobs["failed"]:
        words = ngettext(
            "%(count)d has failed. It can be tried again once its cause is removed.",
            "%(count)d have failed. They can be tried again once their cause is removed.",
            jobs["failed"],
        )
        return Light(about, Colour.AMBER, words % {"count": jobs["failed"]}, leads)
    if jobs["late"]:
        words = ngettext(
            "%(count)d has waited for more than 10 minutes. Do the workers and the clock (Celery beat) run?",
            "%(count)d have waited for more than 10 minutes. Do the workers and the clock (Celery beat) run?",
            jobs["late"],
        )
        return Light(about, Colour.AMBER, words % {"count": jobs["late"]}, leads)
    return Light(about, Colour.GREEN, _("None has failed, and none waits for long."))


def _letters(now: datetime) -> Light:
    about = _("E-mails")
    failed = Check.objects.filter(kind=CheckKind.LETTER).first()
    found = list(Letter.objects.to_watch(now, PUT_OFF))
    uncertain = [letter for letter in found if letter.state == LetterState.CLAIMED]
    unsent = Job.objects.open().filter(kind=EMAIL).aggregate(count=Count("pk"), first=Min("created_at"))
    if not found and unsent["count"]:
        words = ngettext(
            "%(count)d about a role, a club or an account could not go out on %(at)s, and is tried again. "
            "Does the mail server answer, and the worker run?",
            "%(count)d about roles, clubs or accounts could not go out, the first on %(at)s, and are tried again. "
            "Does the mail server answer, and the worker run?",
            unsent["count"],
        )
        return Light(about, Colour.AMBER, words % {"count": unsent["count"], "at": _said(unsent["first"])})
    if not found and failed and now - failed.ended_at < REMEMBERED:
        words = _(
            "On %(at)s one could not go out. It is not sent again; the log says why. Does the mail server answer?"
        )
        return Light(about, Colour.AMBER, words % {"at": _said(failed.ended_at)})
    if not found:
        return Light(about, Colour.GREEN, _("Each was sent that was to be."))
    if not uncertain:
        words = ngettext(
            "%(count)d has waited for more than an hour. Does the mail server answer, and the worker run?",
            "%(count)d have waited for more than an hour. Does the mail server answer, and the worker run?",
            len(found),
        )
        return Light(about, Colour.AMBER, words % {"count": len(found)})
    words = ngettext(
        "Of %(count)d nobody knows whether it went out: the worker or the mail server ended meanwhile. "
        "It is not sent again.",
        "Of %(count)d nobody knows whether they went out: the worker or the mail server ended meanwhile. "
        "They are not sent again.",
        len(uncertain),
    )
    leads = [Lead(_letter(letter)) for letter in uncertain[:NAMED]]
    more = len(uncertain) - NAMED
    if more > 0:
        leads.append(Lead(_("and %(number)s more") % {"number": more}))
    return Light(about, Colour.AMBER, words % {"count": len(uncertain)}, tuple(leads))


def _letter(letter: Letter) -> str:
    """Return which letter it is: of which club if of any, to whom, when, and of what kind."""
    at = _said(letter.claimed_at) if letter.claimed_at else ""
    club = [str(letter.club)] if letter.club else []
    return " · ".join([*club, display_name(letter.reader), at, str(letter.get_kind_display())])


def _said(moment: datetime) -> str:
    return date_format(localtime(moment), "DATETIME_FORMAT")
