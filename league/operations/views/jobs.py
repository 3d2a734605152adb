"""Pages of background jobs that wait, run or have failed. Only the installation's admins see them; others get 404."""

from __future__ import annotations

from typing import NamedTuple

from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions.jobs import cancel, job_kinds, retry
from league.models import Job
from league.models.job import OPEN_STATES, JobState
from league.web.action_messages import run_action
from league.web.superusers import superuser_required

PAGE_ROWS = 25


class JobRow(NamedTuple):
    job: Job
    label: object
    has_failed: bool


@superuser_required
def jobs_page(request: HttpRequest) -> HttpResponse:
    failed_first = Case(When(state=JobState.FAILED, then=Value(0)), default=Value(1))
    open_jobs = Job.objects.filter(state__in=(*OPEN_STATES, JobState.FAILED), kind__in=job_kinds()).order_by(
        failed_first, "-pk"
    )
    page = Paginator(open_jobs, PAGE_ROWS).get_page(request.GET.get("page"))
    rows = [JobRow(job, job_kinds()[job.kind].label, job.state == JobState.FAILED) for job in page]
    return render(request, "league/operations/jobs.html", {"page": page, "rows": rows})


@superuser_required
@require_POST
def retry_job(request: HttpRequest, pk: int) -> HttpResponse:
    _check_kind(pk)
    run_action(request, lambda: retry(pk, now=timezone.now()), _("The job is tried again."))
    return redirect("league:jobs")


@superuser_required
@require_POST
def cancel_job(request: HttpRequest, pk: int) -> HttpResponse:
    _check_kind(pk)
    run_action(request, lambda: cancel(pk, now=timezone.now()), _("The job is cancelled."))
    return redirect("league:jobs")


def _check_kind(pk: int) -> None:
    """Raise Http404 if this version of the program does not know the job's kind.

    A job that does not exist was tried again already, perhaps by the same button: the action refuses it with a reason.
    """
    if Job.objects.filter(pk=pk).exclude(kind__in=job_kinds()).exists():
        raise Http404
