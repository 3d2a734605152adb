from __future__ import annotations

from base64 import b64decode
from functools import partial
from io import BytesIO

import pghistory
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.actions import imports
from league.actions.club_import import ClubAlreadyImported, import_club_for_user
from league.actions.jobs import JobKind, TimeSource, register_job_kind
from league.actions.refusals import WrongState
from league.actions.result_import import AnswersMissing
from league.imports.queries.club_file.reading import Limits, UnreadableFile, read_club_file
from league.imports.work import progress
from league.imports.work.cells import read_results_rows
from league.imports.work.list_kinds import ChosenColumns, DealsList, ListKind, TotalsList
from league.models import Job, Season
from players.models import User

# Enough for thirty years of a club. The command `import_club` has larger limits.
LIMITS = Limits(size=100 * 2**20, rows=500_000, rows_by_part={"seasons": 500, "tables": 10_000, "deals": 50_000})


def import_results(job: Job, now: TimeSource) -> None:
    """Import a list of results, which is in `job.payload`.

    `job.result` then has the numbers of tables by outcome, or `problem`, a sentence in the club's language.
    """
    payload, job.payload = job.payload, {}  # names of people: not needed any more
    season = Season.objects.with_club().filter(pk=imports.season_id_of(job)).first()
    if season is None:
        job.result = {"problem": "deleted"}
        return
    kind: ListKind = DealsList(season) if payload["deals"] else TotalsList(season)
    job.result = {"deals": payload["deals"]}
    with translation.override(season.club.language):
        try:
            with pghistory.context(user=payload["by"]), transaction.atomic():
                plan = kind.import_rows(
                    read_results_rows(payload["text"]),
                    ChosenColumns.from_form_data(payload["chosen"]),
                    {int(number): answer for number, answer in payload["answers"].items()},
                    now(),
                    accept_other_points=payload["as_counted"],
                    report=partial(progress.store_progress, job.pk),
                )
        except AnswersMissing:
            job.result["problem"] = _("Some of the names are not clear any more. Look at the list again.")
        except WrongState as refused:
            job.result["problem"] = str(refused)
        else:
            job.result |= plan.summary()


def import_club_file(job: Job, now: TimeSource) -> None:
    """Import a club file, the zip of CSV files in `job.payload`.

    `job.result` then has one key: `club` (an id), `problems` (sentences in the user's language), or `already_here` (the
    name of the club, if it exists in this installation).
    """
    payload, job.payload = job.payload, {}  # names of people: not needed any more
    user = User.objects.filter(pk=payload["by"]).first()
    if user is None:
        return
    with translation.override(user.language or None):
        try:
            with pghistory.context(user=user.pk), transaction.atomic():
                file = read_club_file(BytesIO(b64decode(payload["file"])), LIMITS)
                club = import_club_for_user(
                    user,
                    payload["names"],
                    file,
                    now=now(),
                    allow_copy=payload["once_more"],
                    report=partial(progress.store_progress, job.pk),
                )
        except UnreadableFile as error:
            job.result = {"problems": error.faults}
        except ClubAlreadyImported as error:
            job.result = {"already_here": str(error)}
        else:
            job.result = {"club": club.pk}


register_job_kind(
    JobKind(
        name=imports.RESULTS_JOB_KIND,
        label=gettext_lazy("Import of results"),
        work=import_results,
        queue="verification",
    )
)
register_job_kind(
    JobKind(
        name=imports.CLUB_FILE_JOB_KIND,
        label=gettext_lazy("Import of a club"),
        work=import_club_file,
        queue="verification",
    )
)
