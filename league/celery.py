import os

from celery import Celery
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu import Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# Django's checks import every page: 30 MB in each worker and in beat. deploy/upgrade runs the checks before they start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# The task class and the scheduler class store heartbeats for the status checks.
TASK_CLASS, SCHEDULER_CLASS = (
    f"league.operations.work.celery_classes:{name}" for name in ("HeartbeatTask", "HeartbeatScheduler")
)

app = Celery("league", task_cls=TASK_CLASS)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league.operations.tasks"], related_name="jobs")
app.steps["worker"].add(DjangoStructLogInitStep)  # each log line of a task has its task_id
# Slow tasks have queues of their own: "verification" for verifications, imports and backups; the two others, because
# servers of emails and webhooks may be slow. If a worker reads only the default queue, the recompute after the closing
# of an evening does not wait for slow tasks. A worker without `--queues` reads all queues, as in `make run`: then the
# recompute waits for one slow task at most.
DEFAULT_QUEUE, VERIFICATION_QUEUE, EMAIL_QUEUE, WEBHOOK_QUEUE = "celery", "verification", "letters", "webhooks"
app.conf.task_queues = [Queue(DEFAULT_QUEUE), Queue(VERIFICATION_QUEUE), Queue(EMAIL_QUEUE), Queue(WEBHOOK_QUEUE)]
app.conf.task_default_queue = DEFAULT_QUEUE
app.conf.beat_scheduler = SCHEDULER_CLASS
# Messages may be lost, and machines off at night: so the tick of each queue reads the due work from the database.
# A tick that no worker took in time is dropped: the next tick finds the same work.
app.conf.beat_schedule = {
    f"tick of {queue}": {
        "task": "league.operations.tasks.jobs.tick",
        "args": (queue,),
        "schedule": 60.0,
        "options": {"queue": queue, "expires": 55.0},
    }
    for queue in (DEFAULT_QUEUE, VERIFICATION_QUEUE, EMAIL_QUEUE, WEBHOOK_QUEUE)
}
