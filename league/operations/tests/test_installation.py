"""The settings on the page of the installation, its test email and its backup on request."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from league.actions.jobs import enqueue
from league.models import Check, Job
from league.models.check import CheckKind
from league.operations.work.backups.dump import backup_contents
from league.operations.work.backups.schedule import BUSY_RETRY_DELAY, WITH_DRILL_KEY
from league.operations.work.jobs import Outcome, work_on_job
from players.models import User
from tests.build import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root@club.example", "a-long-enough-password"))
    return client


def test_page_shows_settings_without_secrets(root: Client, settings: Any) -> None:
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_HOST_PASSWORD = "mail.club.example", 587, "hidden-one"
    settings.BACKUP_COMMAND, settings.BACKUP_KEY = "upload --token hidden-two", "hidden-three"
    settings.SITE_NAME = "Cards of the valley"
    text = root.get("/watch").content.decode()
    assert "mail.club.example:587" in text
    assert "each night, by a command" in text
    assert "Cards of the valley</title>" in text
    assert "hidden-" not in text


def test_test_email_reaches_the_admin_who_asked(root: Client) -> None:
    text = root.post("/watch/test-email", follow=True).content.decode()
    assert "A test e-mail was sent to root@club.example." in text
    assert [message.to for message in mail.outbox] == [["root@club.example"]]


def test_test_email_shows_the_error_of_the_mail_server(root: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # nothing listens there
    text = root.post("/watch/test-email", follow=True).content.decode()
    assert "The test e-mail was not sent: [Errno 111] Connection refused" in text


def test_test_emails_are_limited(root: Client) -> None:
    for _ in range(11):
        response = root.post("/watch/test-email", follow=True)
    assert "You tried this often within an hour." in response.content.decode()
    assert len(mail.outbox) == 10


def test_backup_on_request_is_refused_without_destination(root: Client) -> None:
    assert "No backups are set up" in root.post("/watch/test-backup", follow=True).content.decode()
    assert not Job.objects.exists()


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_backup_on_request_is_made_and_tested(root: Client, settings: Any, tmp_path: Path) -> None:
    """A nightly backup starts no drill; the requested one does, and both are recorded."""
    settings.BACKUP_FOLDER = str(tmp_path)
    assert "A backup is made and then tested." in root.post("/watch/test-backup", follow=True).content.decode()
    now = NOW + timedelta(days=3650)
    work_on_job(Job.objects.get(kind=CheckKind.BACKUP).pk, now=now)
    work_on_job(Job.objects.get(kind=CheckKind.DRILL).pk, now=now + timedelta(minutes=1))
    assert {check.kind: check.ok for check in Check.objects.all()} == {CheckKind.BACKUP: True, CheckKind.DRILL: True}
    assert list(tmp_path.glob("league-*.backup"))


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_backup_on_request_is_tested_although_another_backup_is_being_made(
    root: Client, settings: Any, tmp_path: Path
) -> None:
    """Catches a request that ends with the job of the schedule, which no drill follows."""
    settings.BACKUP_FOLDER = str(tmp_path)
    now = NOW + timedelta(days=3650)
    scheduled = enqueue(CheckKind.BACKUP, now=now)
    for _twice in range(2):
        root.post("/watch/test-backup")
    requested = Job.objects.get(kind=CheckKind.BACKUP, key=WITH_DRILL_KEY)
    other_backup = backup_contents()
    next(other_backup)
    assert work_on_job(scheduled.pk, now=now) is Outcome.DONE
    assert work_on_job(requested.pk, now=now) is Outcome.LATER
    other_backup.close()
    assert not Job.objects.filter(kind=CheckKind.DRILL).exists()
    assert work_on_job(requested.pk, now=now + 2 * BUSY_RETRY_DELAY) is Outcome.DONE
    assert Job.objects.filter(kind=CheckKind.DRILL).exists()


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_backup_that_the_previous_release_enqueued_with_a_drill_is_tested(settings: Any, tmp_path: Path) -> None:
    """Catches a request before the upgrade that no drill follows: such a job has no key, and says so in its payload."""
    settings.BACKUP_FOLDER = str(tmp_path)
    now = NOW + timedelta(days=3650)
    requested = enqueue(CheckKind.BACKUP, payload={"with_drill": True}, now=now)
    other_backup = backup_contents()
    next(other_backup)
    assert work_on_job(requested.pk, now=now) is Outcome.LATER
    other_backup.close()
    assert work_on_job(requested.pk, now=now + 2 * BUSY_RETRY_DELAY) is Outcome.DONE
    assert Job.objects.filter(kind=CheckKind.DRILL).exists()
