from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from league.actions.jobs import JobKind, register_job_kind
from league.actions.notifications import EMAIL_JOB_KIND, EMAIL_QUEUE
from league.notifications.work import sending

register_job_kind(
    JobKind(
        name=sending.NOTIFICATIONS_JOB_KIND,
        label=_("E-mails that people chose"),
        work=sending.send_pending_emails,
        schedule=sending.schedule_sending,
        queue=EMAIL_QUEUE,
        atomic=False,  # each email is claimed, sent and marked: at most once
        retention=timedelta(0),
    )
)
register_job_kind(
    JobKind(
        name=EMAIL_JOB_KIND,
        label=_("E-mail about a registration, or sent again"),
        work=sending.send_job_email,
        on_failure=sending.record_failed_email,
        queue=EMAIL_QUEUE,
        atomic=False,
        retention=timedelta(0),
    )
)
