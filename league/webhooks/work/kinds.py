"""The job that sends a message to a webhook. Each message is a job of its own: a slow receiver does not delay others.

If a worker dies, its message is sent again with the same id.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import structlog
from django.utils.translation import gettext_lazy as _
from standardwebhooks import Webhook as Signer

from league.actions import webhooks
from league.actions.jobs import JobKind, TimeSource, register_job_kind
from league.actions.webhooks import WEBHOOK_JOB_KIND
from league.models import Job, WebhookDelivery
from league.models.webhook import DeliveryState
from league.operations.work.jobs import JobPostponed
from league.webhooks.work.http_post import post_body
from league.webhooks.work.payloads import message_body

log = structlog.get_logger(__name__)

WEBHOOK_QUEUE = "webhooks"


def deliver_message(job: Job, now: TimeSource) -> None:
    """Send the message of this job to its webhook.

    Drop the message if the webhook is paused, its club is to be deleted, or the subject no longer exists. Raise
    JobPostponed after an error if another attempt follows.
    """
    waiting = WebhookDelivery.objects.filter(pk=int(job.key), state=DeliveryState.WAITING)
    delivery: WebhookDelivery | None = waiting.select_related("webhook__club").first()
    if delivery is None:
        return
    is_stopped = delivery.webhook.paused and not delivery.is_test
    body = None if is_stopped or delivery.webhook.club.delete_at else message_body(delivery)
    if body is None:
        webhooks.end_delivery(delivery.pk, DeliveryState.DROPPED)
        return
    attempt = post_body(delivery.webhook.address, body.encode(), signed_headers(delivery, body, now()))
    due_at = webhooks.store_attempt(delivery.pk, attempt, now=now())
    log.info("webhook", message=delivery.message_id, result=str(attempt), again=due_at is not None)
    if due_at is not None:
        raise JobPostponed(due_at, str(attempt))


def signed_headers(delivery: WebhookDelivery, body: str, now: datetime) -> dict[str, str]:
    """Return the headers of the Standard Webhooks specification, with one signature per valid secret."""
    moment = now.astimezone(UTC)
    signatures = [
        Signer(secret).sign(delivery.message_id, moment, body) for secret in delivery.webhook.valid_secrets(now)
    ]
    return {
        "Content-Type": "application/json",
        "User-Agent": "League-Manager-Webhooks",
        "webhook-id": delivery.message_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def mark_message_failed(job: Job, _now: datetime) -> None:
    """Mark the message as failed, because its job failed or was cancelled."""
    webhooks.end_delivery(int(job.key), DeliveryState.FAILED)


def retry_message(job: Job, now: datetime) -> None:
    webhooks.retry_delivery(int(job.key), now=now)


register_job_kind(
    JobKind(
        name=WEBHOOK_JOB_KIND,
        label=_("Message to a webhook"),
        work=deliver_message,
        schedule=webhooks.delete_old_messages,
        on_end=mark_message_failed,
        on_retry=retry_message,
        queue=WEBHOOK_QUEUE,
        atomic=False,  # a sent request cannot be rolled back
        retention=timedelta(0),
    )
)
