from django.utils.translation import gettext_lazy as _

from league.actions.jobs import JobKind, register
from league.recompute.work import runs, steps

register(
    JobKind(
        name=runs.KIND,
        label=_("Standings and ratings"),
        work=steps.recompute,
        schedule=runs.schedule,
        is_current=steps.is_current,
        on_failure=runs.on_failure,
        on_end=runs.on_end,
        on_retry=runs.on_retry,
    )
)
