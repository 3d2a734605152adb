from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from league.actions.advisory_locks import wait_for_lock
from league.actions.jobs import enqueue
from league.actions.refusals import WrongState
from league.models import Club, Job, Season
from players.models import User

RESULTS_JOB_KIND: Final = "import"
CLUB_FILE_JOB_KIND: Final = "club_import"
MAX_OPEN_RESULT_IMPORTS: Final = 30  # lists of results in all clubs; a list may have some megabytes
MAX_OPEN_RESULT_IMPORTS_PER_CLUB: Final = 3  # lists of results
MAX_OPEN_CLUB_FILES: Final = 5


ReportProgress = Callable[[int, int], None]  # steps done, steps in all


def ignore_progress(_rows_done: int, _row_count: int) -> None:
    pass


def request_result_import(
    season: Season,
    *,
    user: User,
    deals: bool,
    text: str,
    columns: Mapping[str, Any],
    answers: Mapping[int, str],
    accept_other_points: bool,
    now: datetime,
) -> Job:
    """Enqueue the import of a list of results into a season, and return its job.

    If the same list waits for a worker already, return its job. `deals` is True for a list of deals, False for a list
    of totals. `text` is the list itself, `columns` the meaning of its columns by heading. `answers` are the user's
    choices, by line number, for names that are not clear. `accept_other_points` means the same as in `import_results`.
    Raise WrongState if too many imports are open.
    """
    payload: dict[str, Any] = {
        "by": user.pk,
        "deals": deals,
        "text": text,
        "chosen": dict(columns),
        "answers": {str(number): answer for number, answer in answers.items()},
        "as_counted": accept_other_points,
    }
    digest = sha256(json.dumps(payload | {"by": None}, sort_keys=True).encode()).hexdigest()[:32]
    key = f"{season.club_id}:{season.pk}:{digest}"
    with wait_for_lock("asking for an import"):
        if not Job.objects.open().filter(kind=RESULTS_JOB_KIND, key=key).exists():
            _check_open_imports(season)
        return enqueue(RESULTS_JOB_KIND, key, payload, now=now)


def season_id_of(job: Job) -> int:
    """Return the id of the season into which the job imports results; the job's key has it."""
    return int(job.key.split(":")[1])


def open_import_jobs(season: Season) -> list[Job]:
    """Return the jobs that import results into the season, and have not ended."""
    return list(Job.objects.open().filter(kind=RESULTS_JOB_KIND, key__startswith=f"{season.club_id}:{season.pk}:"))


def _check_open_imports(season: Season) -> None:
    """Raise WrongState if the club, or the installation, has too many open imports of results."""
    open_jobs = Job.objects.open().filter(kind=RESULTS_JOB_KIND)
    of_club = open_jobs.filter(key__startswith=f"{season.club_id}:").count()
    if of_club >= MAX_OPEN_RESULT_IMPORTS_PER_CLUB:
        raise WrongState(
            _("%(number)s lists of this club wait for a worker: no more may. Try again when one of them is imported.")
            % {"number": of_club}
        )
    if (number := open_jobs.count()) >= MAX_OPEN_RESULT_IMPORTS:
        raise WrongState(
            _("%(number)s lists of all clubs wait for a worker: no more may. Try again in some minutes.")
            % {"number": number}
        )


def request_club_import(user: User, names: Mapping[str, str], data: bytes, *, allow_copy: bool, now: datetime) -> Job:
    """Enqueue the import of a club file (`data`, a zip of CSV files), and return its job.

    If the user has no player, a new player gets the `names`. With `allow_copy`, a club that exists here is imported
    again. Raise WrongState if too many imports are open; a user has at most one.
    """
    payload = {"by": user.pk, "names": dict(names), "once_more": allow_copy, "file": b64encode(data).decode()}
    with wait_for_lock("asking for an import"):
        open_jobs = Job.objects.open().filter(kind=CLUB_FILE_JOB_KIND)
        if open_jobs.filter(key=str(user.pk)).exists():
            raise WrongState(
                _("Another file of yours is being imported. Wait until it is done, and send this one again.")
            )
        if open_jobs.count() >= MAX_OPEN_CLUB_FILES:
            raise WrongState(_("Several large files are being imported. Try again in some minutes."))
        return enqueue(CLUB_FILE_JOB_KIND, str(user.pk), payload, now=now)


def delete_import_jobs(club: Club) -> None:
    """Delete the jobs, in any state, that import results into seasons of the club."""
    Job.objects.filter(kind=RESULTS_JOB_KIND, key__startswith=f"{club.pk}:").delete()
