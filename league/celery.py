import os

from celery import Celery
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu import Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# Django's checks import every page: 30 MB in each worker and in beat. deploy/upgrade runs the checks before they start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# Both store heartbeats for the status checks.
TASK_CLASS, SCHEDULER_CLASS = (
    f"league.operations.work.celery_classes:{name}" for name in ("HeartbeatTask", "HeartbeatScheduler")
)

app = Celery("league", task_cls=TASK_CLASS)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league.operations.tasks"], related_name="jobs")
app.steps["worker"].add(DjangoStructLogInitStep)  # each log line of a task has its task_id
# Long tasks have a queue of their own: a closing does not wait for them if a worker reads the first queue alone. Emails
# have one too, since a mail server may be slow, and so have webhooks, since anybody's host may be. A worker without
# `--queues` reads all, as in `make run`: then a closing waits for one message of the others at most.
DEFAULT_QUEUE, VERIFICATION_QUEUE, EMAIL_QUEUE, WEBHOOK_QUEUE = "celery", "verification", "letters", "webhooks"
app.conf.task_queues = [Queue(DEFAULT_QUEUE), Queue(VERIFICATION_QUEUE), Queue(EMAIL_QUEUE), Queue(WEBHOOK_QUEUE)]
app.conf.task_default_queue = DEFAULT_QUEUE
app.conf.beat_scheduler = SCHEDULER_CLASS
# Messages may be lost and machines off at night: each queue's tick asks the database for due work. A tick that no
# worker took in time is dropped: the next one finds the same work.
app.conf.beat_schedule = {
    f"tick of {queue}": {
        "task": "league.operations.tasks.jobs.tick",
        "args": (queue,),
        "schedule": 60.0,
        "options": {"queue": queue, "expires": 55.0},
    }
    for queue in (DEFAULT_QUEUE, VERIFICATION_QUEUE, EMAIL_QUEUE, WEBHOOK_QUEUE)
}
