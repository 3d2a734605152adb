"""Celery's entrance: `celery -A league.celery worker`."""

import os

from celery import Celery
from celery.schedules import crontab
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "night": {"task": "players.tasks.night", "schedule": crontab(hour=str(settings.NIGHT_HOUR), minute="0")},
    # Messages may be lost and machines off at night: the tick asks the database what is due.
    "tick": {"task": "players.tasks.tick", "schedule": 60.0},
}
