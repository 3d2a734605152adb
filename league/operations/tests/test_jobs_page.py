"""The page of background jobs: an admin of the installation retries failed jobs and cancels any."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Job, PendingRecompute
from league.models.audit_entry import AuditEvent
from league.models.job import JobState
from players.models import User
from tests.build import NOW

pytestmark = pytest.mark.django_db

PAGE = "/jobs"


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root@club.example", "a-long-enough-password"))
    return client


def a_job(kind: str, state: JobState = JobState.WAITING, **more: object) -> Job:
    end_fields = {} if state in (JobState.WAITING, JobState.RUNNING) else {"ended_at": NOW}
    job: Job = Job.objects.create(kind=kind, state=state, created_at=NOW, due_at=NOW, **end_fields, **more)
    return job


def test_failed_jobs_come_first_and_done_ones_are_not_listed(root: Client) -> None:
    a_job("verification", JobState.FAILED, error="No such season")
    a_job("email", key="abc")
    a_job("verification", JobState.DONE)
    a_job("of another release")
    text = root.get(PAGE).content.decode()
    assert text.index("No such season") < text.index("E-mail about a registration, or sent again")
    assert text.count("Verification") == 1
    assert "of another release" not in text


def test_failed_job_is_tried_again(root: Client) -> None:
    job = a_job("verification", JobState.FAILED, error="No such season")
    answer = root.post(reverse("league:job-retry", args=[job.pk]), follow=True)
    assert "The job is tried again." in answer.content.decode()
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.WAITING, "")
    entry = AuditEntry.objects.get(event=AuditEvent.JOB_RETRIED)
    assert (entry.params["kind"], entry.user and entry.user.email) == ("verification", "root@club.example")
    answer = root.post(reverse("league:job-retry", args=[job.pk]), follow=True)
    assert "This job has not failed" in answer.content.decode()


def test_failed_recompute_is_due_at_once(root: Client) -> None:
    due = PendingRecompute.objects.create(
        game="tarot", date=NOW.date(), not_before="2100-01-01T00:00Z", why=PendingRecompute.Reason.CLOSED
    )
    job = a_job("recompute", JobState.FAILED, error="x", payload={"dues": [due.pk]})
    root.post(reverse("league:job-retry", args=[job.pk]))
    assert not Job.objects.exists()
    due.refresh_from_db()
    assert due.not_before.year < 2100


def test_failed_job_that_a_retry_replaced_is_retried_and_cancelled_once(root: Client) -> None:
    """A retried recompute is another job; the second press of the button showed "not found"."""
    job = a_job("recompute", JobState.FAILED, error="x", payload={"dues": []})
    root.post(reverse("league:job-retry", args=[job.pk]))
    for button in ("job-retry", "job-cancel"):
        address = reverse(f"league:{button}", args=[job.pk])
        answer = root.post(address, follow=True)
        assert "This job has not failed, or was tried again already." in answer.content.decode()


def test_job_of_another_release_is_not_retried(root: Client) -> None:
    job = a_job("of another release", JobState.FAILED, error="x")
    assert root.post(reverse("league:job-retry", args=[job.pk])).status_code == 404


def test_job_is_cancelled(root: Client) -> None:
    job = a_job("verification")
    answer = root.post(reverse("league:job-cancel", args=[job.pk]), follow=True)
    assert "The job is cancelled." in answer.content.decode()
    assert Job.objects.get().state == JobState.CANCELLED
    assert "No job waits" in answer.content.decode()
