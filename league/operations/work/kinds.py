from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from league.actions.jobs import JobKind, register_job_kind
from league.models.check import CheckKind
from league.operations.work import releases, weekly_verification
from league.operations.work.backups import schedule

register_job_kind(
    JobKind(
        name=weekly_verification.JOB_KIND,
        label=_("Verification"),
        work=weekly_verification.verify_slices,
        schedule=weekly_verification.schedule_verification,
        queue="verification",
        seconds=5.0,  # so that other jobs need not wait long, if one worker reads all queues
        attempts=1000,  # weekly_verification skips a slice after three attempts
        database_retry_period=timedelta(days=1),
        atomic=False,  # each slice is read in a transaction of its own, with a snapshot
    )
)
for kind, label, work, schedule_work in (
    (CheckKind.BACKUP, _("Backup"), schedule.make_backup, schedule.schedule_backup),
    (CheckKind.COPY, _("Copy of the backup"), schedule.copy_backup, schedule.schedule_copy),
    (CheckKind.FEED, _("Release"), releases.read_feed, releases.schedule_feed),
    (CheckKind.DRILL, _("Restore drill"), schedule.run_drill, schedule.schedule_drill),
):
    register_job_kind(
        JobKind(name=kind.value, label=label, work=work, schedule=schedule_work, queue="verification", atomic=False)
    )
