from django.utils.translation import gettext_lazy as _

from league.actions.jobs import JobKind, register_job_kind
from league.recompute.work import runs, steps

register_job_kind(
    JobKind(
        name=runs.JOB_KIND,
        label=_("Standings and ratings"),
        work=steps.recompute,
        schedule=runs.start_due_run,
        is_current=steps.has_current_arithmetic,
        on_failure=runs.on_failure,
        on_end=runs.on_end,
        on_retry=runs.on_retry,
    )
)
