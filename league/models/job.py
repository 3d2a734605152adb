from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Final, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class JobState(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


OPEN_STATES: Final = (JobState.WAITING, JobState.RUNNING)
MAX_CLOCK_ERROR: Final = timedelta(hours=1)  # a later creation time comes from a wrong clock


class JobQuerySet(models.QuerySet["Job"]):
    def open(self) -> Self:
        return self.filter(state__in=OPEN_STATES)

    def failed(self) -> Self:
        return self.filter(state=JobState.FAILED)

    def due(self, now: datetime) -> Self:
        """Return open jobs that can run now, and open jobs that were created in the future, by a wrong clock."""
        return self.open().filter(Q(due_at__lte=now) | Q(created_at__gt=now + MAX_CLOCK_ERROR))


class Job(models.Model):
    """A unit of background work. Each step stores `progress` in its own transaction; after an interruption a worker
    continues from there.

    `key` identifies the subject of the work; there is at most one open job for each kind and key.
    """

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=100, blank=True)
    payload = models.JSONField(default=dict, blank=True)
    progress = models.JSONField(default=dict, blank=True)
    result = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=9, choices=JobState, default=JobState.WAITING)
    steps = models.PositiveIntegerField(default=0)  # number of stored steps
    attempts = models.PositiveSmallIntegerField(default=0)  # how often the next step was started
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # earliest time to run
    heartbeat = models.DateTimeField(null=True)  # last time when a message was sent, or a step started or ended
    ended_at = models.DateTimeField(null=True)

    objects: ClassVar = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("job")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"], condition=Q(state__in=OPEN_STATES), name="job_open_once_a_key"
            ),
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state_is_known"),
            models.CheckConstraint(
                condition=Q(state__in=OPEN_STATES, ended_at=None)
                | (~Q(state__in=OPEN_STATES) & Q(ended_at__isnull=False)),
                name="job_ended_has_its_time",
            ),
            models.CheckConstraint(condition=~Q(state=JobState.FAILED) | ~Q(error=""), name="job_failed_has_its_error"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}".strip()

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    def is_due(self, now: datetime) -> bool:
        return self.due_at <= now or self.created_at > now + MAX_CLOCK_ERROR
