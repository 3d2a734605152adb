"""Sending of messages: signatures, retries, pauses, kills. A real server gets them and checks them by the library."""

from __future__ import annotations

from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from time import sleep

import pytest
from django.core.mail import EmailMessage
from pytest_django import DjangoCaptureOnCommitCallbacks
from standardwebhooks import WebhookVerificationError

from league.actions import club_deletion, evenings, revocations, webhooks
from league.actions.jobs import cancel, fail, retry
from league.actions.refusals import WrongState
from league.actions.webhooks import MAX_FAILING_TIME, RETENTION_TIME, RETRY_DELAYS, WEBHOOK_JOB_KIND
from league.models import AuditEntry, Club, Evening, Job, Webhook, WebhookDelivery
from league.models.audit_entry import AuditEvent
from league.models.job import JobState
from league.models.rights import Role
from league.models.webhook import DeliveryError, DeliveryState, WebhookEvent, WebhookPause
from league.operations.work import jobs
from league.webhooks.tests.receiver import Receiver, a_webhook, send
from league.webhooks.work import http_post
from tests.build import NOW, a_club, a_member, a_season, a_user, an_evening

pytestmark = pytest.mark.django_db

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)  # a job's clock runs on from its moment


class Killed(BaseException):
    """The end of a process: nothing of ours may catch it."""


@pytest.fixture
def club() -> Club:
    return a_club(name="Les Atouts", public=True)


@pytest.fixture
def hook(club: Club, receiver: Receiver) -> Webhook:
    return a_webhook(club, receiver.address, WebhookEvent.EVENING_CLOSED, now=NOW)


def close_an_evening(club: Club) -> Evening:
    return evenings.close(an_evening(a_season(club)).pk, now=NOW)


def delivery() -> WebhookDelivery:
    return WebhookDelivery.objects.get()


def test_a_message_is_signed_as_the_specification_says(club: Club, hook: Webhook, receiver: Receiver) -> None:
    """The library of the specification accepts it; a wrong secret, another body and a late message it refuses."""
    evening = close_an_evening(club)
    assert receiver.messages == []
    send(NOW)
    [message] = receiver.messages
    content = message.verified(hook.secret, NOW)
    assert (content["type"], content["timestamp"]) == ("evening.closed", "2026-10-02T21:00:00Z")
    assert content["data"]["evening"]["id"] == evening.pk
    assert message.path == "/hook?of=club"
    assert message.headers["content-type"] == "application/json"
    assert message.headers["host"] == f"127.0.0.1:{receiver.port}"
    for wrong in (message._replace(body=message.body.replace("closed", "opened")), message):
        with pytest.raises(WebhookVerificationError):
            wrong.verified(hook.secret if wrong is not message else webhooks.new_secret(), NOW)
    with pytest.raises(WebhookVerificationError):
        message.verified(hook.secret, NOW + timedelta(minutes=6))
    assert (delivery().state, delivery().status, delivery().attempts) == (DeliveryState.DELIVERED, 204, 1)
    assert not Job.objects.failed().exists()
    send(NOW + timedelta(days=1))
    assert len(receiver.messages) == 1


def test_after_failures_a_message_waits_longer_each_time(club: Club, hook: Webhook, receiver: Receiver) -> None:
    """The same id each time, a new time stamp and signature; after the last attempt the message has failed."""
    receiver.status = 500
    close_an_evening(club)
    moment = NOW
    for number, wait in enumerate(RETRY_DELAYS, start=1):
        send(moment)
        send(moment + wait - SECOND)
        assert len(receiver.messages) == number
        moment += wait + SECOND
    send(moment)
    assert {message.id for message in receiver.messages} == {delivery().message_id}
    receiver.messages[-1].verified(hook.secret, moment)
    assert (delivery().state, delivery().status, delivery().attempts) == (DeliveryState.FAILED, 500, 7)
    send(moment + timedelta(days=2))
    assert len(receiver.messages) == 7
    assert not Job.objects.failed().exists()  # it is not the installation's failure


def test_a_later_attempt_may_succeed(club: Club, hook: Webhook, receiver: Receiver) -> None:
    receiver.status = 503
    close_an_evening(club)
    send(NOW)
    assert Webhook.objects.filter(failing_since__range=(NOW, NOW + SECOND)).exists()
    receiver.status = 200
    send(NOW + MINUTE)
    assert delivery().state == DeliveryState.DELIVERED
    assert Webhook.objects.filter(failing_since=None).exists()


def test_a_message_that_waits_delays_no_other(club: Club, hook: Webhook, receiver: Receiver) -> None:
    receiver.status = 500
    close_an_evening(club)
    send(NOW)
    receiver.status = 200
    close_an_evening(club)
    send(NOW)
    assert len({message.id for message in receiver.messages}) == 2
    states = WebhookDelivery.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [DeliveryState.WAITING, DeliveryState.DELIVERED]


def test_a_worker_killed_after_sending_sends_the_same_id_again(
    club: Club, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_args: object, **_kwargs: object) -> None:
        raise Killed

    close_an_evening(club)
    with monkeypatch.context() as patch:
        patch.setattr(webhooks, "store_attempt", die)
        with pytest.raises(Killed):
            send(NOW)
    assert (delivery().state, delivery().attempts) == (DeliveryState.WAITING, 0)
    send(NOW + 2 * MINUTE)
    assert [message.id for message in receiver.messages] == [delivery().message_id] * 2
    assert delivery().state == DeliveryState.DELIVERED


def test_a_worker_killed_after_storing_sends_no_more(
    club: Club, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_args: object, **_kwargs: object) -> None:
        raise Killed

    close_an_evening(club)
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "_store_progress", die)
        with pytest.raises(Killed):
            send(NOW)
    send(NOW + 2 * MINUTE)
    assert len(receiver.messages) == 1
    assert not Job.objects.filter(kind=WEBHOOK_JOB_KIND).open().exists()


def test_an_event_that_is_rolled_back_sends_nothing(club: Club, hook: Webhook) -> None:
    with pytest.raises(WrongState):
        evenings.close(close_an_evening(club).pk, now=NOW)  # closed already
    assert WebhookDelivery.objects.count() == Job.objects.filter(kind=WEBHOOK_JOB_KIND).count() == 1


def test_for_a_day_after_a_new_secret_both_sign(club: Club, hook: Webhook, receiver: Receiver) -> None:
    renewed = webhooks.rotate_secret(hook, seen_number=1, now=NOW)
    assert renewed.secret != hook.secret
    webhooks.send_test(hook, now=NOW)
    send(NOW)
    for secret in (hook.secret, renewed.secret):
        receiver.messages[-1].verified(secret, NOW)
    later = NOW + timedelta(hours=24)
    webhooks.send_test(hook, now=later)
    send(later)
    receiver.messages[-1].verified(renewed.secret, later)
    with pytest.raises(WebhookVerificationError):
        receiver.messages[-1].verified(hook.secret, later)


def test_gone_pauses_at_once_and_tells_the_admins(
    club: Club,
    hook: Webhook,
    receiver: Receiver,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """The email and the audit log have the host only: the rest of an address may give access."""
    admin = a_member(club, Role.ADMIN)
    receiver.status = 410
    close_an_evening(club)
    close_an_evening(club)
    with django_capture_on_commit_callbacks(execute=True):
        send(NOW)
    hook.refresh_from_db()
    assert (hook.paused, len(receiver.messages)) == (WebhookPause.GONE, 1)
    states = WebhookDelivery.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [DeliveryState.FAILED, DeliveryState.DROPPED]
    [mail] = mailoutbox
    assert admin.user is not None
    assert mail.to == [admin.user.email]
    assert "of=club" not in mail.body
    assert f"https://league.example/webhooks/{hook.pk}" in mail.body
    entry = AuditEntry.objects.get(event=AuditEvent.WEBHOOK_PAUSED)
    assert (entry.club, entry.params) == (club, {"name": "127.0.0.1"})
    close_an_evening(club)
    assert WebhookDelivery.objects.count() == 2


def test_five_days_without_success_pause_the_address(club: Club, hook: Webhook, receiver: Receiver) -> None:
    receiver.status = 404
    close_an_evening(club)
    send(NOW)
    for moment in (NOW + MAX_FAILING_TIME - MINUTE, NOW + MAX_FAILING_TIME + MINUTE):
        hook.refresh_from_db()
        assert hook.paused == ""
        webhooks.send_test(hook, now=moment)
        send(moment)
    hook.refresh_from_db()
    assert hook.paused == WebhookPause.FAILING
    webhooks.resume(hook)
    hook.refresh_from_db()
    assert (hook.paused, hook.failing_since) == ("", None)


def test_a_paused_address_gets_tests_only(club: Club, hook: Webhook, receiver: Receiver) -> None:
    close_an_evening(club)
    webhooks.pause(hook)
    close_an_evening(club)
    webhooks.send_test(hook, now=NOW)
    send(NOW)
    assert [text["type"] for text in receiver.texts] == ["webhook.test"]
    webhooks.resume(hook)
    close_an_evening(club)
    send(NOW)
    assert [text["type"] for text in receiver.texts] == ["webhook.test", "evening.closed"]


def test_redirects_are_not_followed(club: Club, hook: Webhook, receiver: Receiver) -> None:
    receiver.status, receiver.location = 307, f"http://127.0.0.1:{receiver.port}/other"
    webhooks.send_test(hook, now=NOW)
    send(NOW)
    assert ([message.path for message in receiver.messages], delivery().status) == (["/hook?of=club"], 307)


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Send the head of an answer byte by byte, without an end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"x")
        sleep(0.02)


def stay_silent(handler: BaseHTTPRequestHandler) -> None:
    handler.rfile.read(1)


def speak_another_protocol(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (drip, DeliveryError.TIMEOUT),
        (stay_silent, DeliveryError.TIMEOUT),
        (speak_another_protocol, DeliveryError.ANSWER),
        (lambda _handler: None, DeliveryError.CONNECTION),
    ],
)
def test_an_answer_that_never_comes_fails(
    reply: object, error: DeliveryError, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A timeout of the socket alone would wait for ever where each byte comes in time."""
    monkeypatch.setattr(http_post, "TIMEOUT_SECONDS", 0.3)
    receiver.reply = reply  # type: ignore[assignment]
    webhooks.send_test(hook, now=NOW)
    send(NOW)
    assert (delivery().error, delivery().status, delivery().state) == (error, None, DeliveryState.FAILED)


def test_an_endless_body_is_not_read_and_not_stored(
    hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
        while True:
            handler.wfile.write(b"x" * 65536)

    receiver.reply = endless
    webhooks.send_test(hook, now=NOW)
    send(NOW)
    assert delivery().state == DeliveryState.DELIVERED


def test_a_deleted_subject_or_webhook_or_club_sends_nothing(club: Club, hook: Webhook, receiver: Receiver) -> None:
    evening = close_an_evening(club)
    evenings.reopen(evening.pk, now=NOW)
    send(NOW)
    assert delivery().state == DeliveryState.DROPPED
    close_an_evening(club)
    webhooks.delete_webhook(hook)
    send(NOW)
    a_webhook(club, receiver.address, now=NOW)
    close_an_evening(club)
    club_deletion.request_deletion(club, by=a_user(), now=NOW)
    send(NOW)
    assert receiver.messages == []


def test_a_cancelled_job_ends_its_message(
    club: Club, hook: Webhook, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    close_an_evening(club)
    with django_capture_on_commit_callbacks(execute=True):
        cancel(Job.objects.get(kind=WEBHOOK_JOB_KIND).pk, now=NOW)
    assert delivery().state == DeliveryState.FAILED


def test_a_worker_that_dies_each_time_fails_the_job_which_can_be_retried(
    club: Club, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_args: object, **_kwargs: object) -> None:
        raise Killed

    close_an_evening(club)
    with monkeypatch.context() as patch:
        patch.setattr(webhooks, "store_attempt", die)
        for number in range(3):
            with pytest.raises(Killed):
                send(NOW + 2 * number * MINUTE)
    with pytest.raises(jobs.WorkerDied):
        send(NOW + 6 * MINUTE)
    job = Job.objects.get(kind=WEBHOOK_JOB_KIND)
    assert job.state == JobState.FAILED
    assert delivery().state == DeliveryState.FAILED
    retry(job.pk, now=NOW + 7 * MINUTE)  # as the installation's admin may
    send(NOW + 7 * MINUTE)
    assert len(receiver.messages) == 4
    assert delivery().state == DeliveryState.DELIVERED


def test_a_retry_sends_a_message_that_was_not_marked_as_failed(club: Club, hook: Webhook, receiver: Receiver) -> None:
    """Catches the loss of the message of a worker that was killed between the failure of its job and `on_end`."""
    close_an_evening(club)
    job = Job.objects.get(kind=WEBHOOK_JOB_KIND)
    fail(job.pk, jobs.WorkerDied("killed"), now=NOW)
    assert delivery().state == DeliveryState.WAITING
    retry(job.pk, now=NOW)
    send(NOW)
    assert len(receiver.messages) == 1
    assert delivery().state == DeliveryState.DELIVERED


def test_a_restore_drops_messages_that_wait(club: Club, hook: Webhook, receiver: Receiver) -> None:
    close_an_evening(club)
    revocations.reapply_revocations([])
    send(NOW)
    assert (receiver.messages, delivery().state) == ([], DeliveryState.DROPPED)


def test_old_messages_leave_the_list(club: Club, hook: Webhook, receiver: Receiver) -> None:
    close_an_evening(club)
    send(NOW)
    jobs.tick("webhooks", NOW + RETENTION_TIME)
    assert WebhookDelivery.objects.exists()
    jobs.tick("webhooks", NOW + RETENTION_TIME + MINUTE)
    assert not WebhookDelivery.objects.exists()
