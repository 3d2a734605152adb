from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from league.actions.jobs import Kind, register
from league.models.check import CheckKind
from league.operations.work import releases, weekly_verification
from league.operations.work.backups import schedule

register(
    Kind(
        name=weekly_verification.KIND,
        label=_("Verification"),
        work=weekly_verification.verify_slices,
        schedule=weekly_verification.schedule,
        queue="verification",
        seconds=5.0,  # where one worker reads all queues, a closing waits so long at most
        attempts=1000,  # a slice is skipped after three
        patience=timedelta(days=1),
        atomic=False,  # each slice is read in a transaction of its own, of one moment
    )
)
for kind, label, work, schedule_work in (
    (CheckKind.BACKUP, _("Backup"), schedule.make_backup, schedule.schedule_backup),
    (CheckKind.COPY, _("Copy of the backup"), schedule.copy_backup, schedule.schedule_copy),
    (CheckKind.FEED, _("Release"), releases.read, releases.schedule),
    (CheckKind.DRILL, _("Restore drill"), schedule.drill, schedule.schedule_drill),
):
    register(Kind(name=kind.value, label=label, work=work, schedule=schedule_work, queue="verification", atomic=False))
