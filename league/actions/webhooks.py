"""Actions on webhooks (addresses of a club's own programs) and on the messages to them.

A message is stored with its job in the transaction of its event. `webhooks/work` sends the message.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from secrets import token_bytes
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, club_emails
from league.actions.clubs import lock_club
from league.actions.jobs import enqueue
from league.actions.refusals import StaleVersion, WrongState
from league.models import Club, Evening, Job, Season, Tournament, Webhook, WebhookDelivery
from league.models.audit_entry import AuditEvent
from league.models.webhook import MAX_WEBHOOKS, TEST_EVENT, DeliveryError, DeliveryState, WebhookEvent, WebhookPause

WEBHOOK_JOB_KIND: Final = "webhook"
OLD_SECRET_LIFETIME: Final = timedelta(hours=24)  # how long an old secret remains valid
# Minimum time from each failed attempt to the next one. The runner looks for due jobs once a minute.
RETRY_DELAYS: Final = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
)
MAX_FAILING_TIME: Final = timedelta(days=5)  # without a success; then the webhook is paused
RETENTION_TIME: Final = timedelta(days=30)
SUCCESS_CODES: Final = range(200, 300)
GONE_CODE: Final = 410  # the program wants no more messages


class AddressTaken(ValueError):
    """The club has another webhook with this address."""


class Attempt(NamedTuple):
    """The result of an attempt to send a message to a webhook.

    `status` is the HTTP status of the answer, or None if there was no answer; then `error` is the reason.
    """

    status: int | None
    error: DeliveryError | None = None

    def __str__(self) -> str:
        return f"HTTP {self.status}" if self.error is None else self.error.value


def new_secret() -> str:
    return f"whsec_{b64encode(token_bytes(32)).decode()}"


def add_webhook(club: Club, address: str, events: Sequence[str], *, now: datetime) -> Webhook:
    """Add a webhook: messages about the `events` are sent to the address.

    Raise AddressTaken, also for a repeated request, or WrongState if the club has too many webhooks.
    """
    with lock_club(club):
        if club.webhooks.filter(address=address).exists():
            raise AddressTaken
        if club.webhooks.count() >= MAX_WEBHOOKS:
            raise WrongState(
                _("The club has the largest possible number of addresses: %(most)s.") % {"most": MAX_WEBHOOKS}
            )
        webhook: Webhook = club.webhooks.create(
            address=address, events=list(events), secret=new_secret(), created_at=now
        )
        audit.log(AuditEvent.WEBHOOK_ADDED, club, name=webhook.host)
    return webhook


def change_webhook(webhook: Webhook, address: str, events: Sequence[str]) -> None:
    """Store the address and its events. Raise AddressTaken if the club has another webhook with this address."""
    with lock_club(webhook.club) as club:
        if club.webhooks.filter(address=address).exclude(pk=webhook.pk).exists():
            raise AddressTaken
        webhook.address, webhook.events = address, list(events)
        webhook.save(update_fields=["address", "events"])
        audit.log(AuditEvent.WEBHOOK_CHANGED, club, name=webhook.host)


@transaction.atomic
def rotate_secret(webhook: Webhook, *, seen_number: int, now: datetime) -> Webhook:
    """Create a new secret of a webhook; the previous secret stays valid for a day.

    `seen_number` is the number of the secret that the user saw. Raise StaleVersion if this secret was replaced
    meanwhile, for example by the same request sent twice.
    """
    webhook = _lock_webhook(webhook.pk)
    if webhook.secret_number != seen_number:
        raise StaleVersion
    webhook.previous_secret, webhook.previous_until = webhook.secret, now + OLD_SECRET_LIFETIME
    webhook.secret, webhook.secret_number = new_secret(), webhook.secret_number + 1
    webhook.save(update_fields=["secret", "secret_number", "previous_secret", "previous_until"])
    audit.log(AuditEvent.WEBHOOK_SECRET_ROTATED, webhook.club, name=webhook.host)
    return webhook


@transaction.atomic
def pause(webhook: Webhook) -> None:
    """Pause a webhook: its waiting messages are not sent, and it gets no new messages."""
    webhook = _lock_webhook(webhook.pk)
    if not webhook.paused:
        _pause(webhook, WebhookPause.ADMIN)


@transaction.atomic
def resume(webhook: Webhook) -> None:
    """End the pause of a webhook. Messages whose time came during the pause were dropped."""
    webhook = _lock_webhook(webhook.pk)
    if webhook.paused:
        webhook.paused, webhook.failing_since = "", None
        webhook.save(update_fields=["paused", "failing_since"])
        audit.log(AuditEvent.WEBHOOK_RESUMED, webhook.club, name=webhook.host)


@transaction.atomic
def delete_webhook(webhook: Webhook) -> None:
    webhook = _lock_webhook(webhook.pk)
    audit.log(AuditEvent.WEBHOOK_DELETED, webhook.club, name=webhook.host)
    webhook.delete()


@transaction.atomic
def send_test(webhook: Webhook, *, now: datetime) -> WebhookDelivery:
    """Enqueue a test message, also to a paused webhook. There is only one attempt to send the message."""
    return _store_messages([webhook], TEST_EVENT, None, now)[0]


def record_evening_closed(evening: Evening, *, now: datetime) -> None:
    _store_event_messages(WebhookEvent.EVENING_CLOSED, {evening.pk: evening.season.club_id}, now)


def record_standings_changed(seasons: Collection[int], *, now: datetime) -> None:
    """Enqueue a message about each season's changed standings, to each webhook of its club that wants such messages.

    Seasons of tournaments are left out, since their results have a message of their own.
    """
    if seasons:
        rows = Season.objects.without_tournaments().filter(pk__in=seasons, club__webhooks__paused="").order_by("pk")
        _store_event_messages(WebhookEvent.STANDINGS_CHANGED, dict(rows.values_list("pk", "club").distinct()), now)


def record_results_published(tournament: Tournament, *, now: datetime) -> None:
    _store_event_messages(WebhookEvent.RESULTS_PUBLISHED, {tournament.pk: tournament.club_id}, now)


def _store_event_messages(event: WebhookEvent, clubs: dict[int, int], now: datetime) -> None:
    """Store the messages about events of one kind: one event for each row (an evening, a season or a tournament).

    `clubs` maps the id of each row to the id of its club.
    """
    if clubs:
        receiving = Webhook.objects.receiving(event, clubs.values())
        # Locked, so that no address is deleted before the messages to it are stored.
        webhooks = list(receiving.select_for_update(no_key=True, of=("self",)).order_by("pk"))
        for subject, club in clubs.items():
            _store_messages([webhook for webhook in webhooks if webhook.club_id == club], event, subject, now)


def _store_messages(
    webhooks: Iterable[Webhook], event: str, subject: int | None, now: datetime
) -> list[WebhookDelivery]:
    """Store a message to each webhook, with the job that sends it.

    `subject` is the id of the evening, season or tournament of the event; None for a test message.
    """
    deliveries = WebhookDelivery.objects.bulk_create(
        [WebhookDelivery(webhook=webhook, event=event, subject=subject, created_at=now) for webhook in webhooks]
    )
    for delivery in deliveries:
        enqueue(WEBHOOK_JOB_KIND, str(delivery.pk), now=now)
    return deliveries


@transaction.atomic
def store_attempt(delivery_id: int, attempt: Attempt, *, now: datetime) -> datetime | None:
    """Store the result of an attempt to send a message. Return the time of the next attempt, or None for no more.

    A webhook that answers 410, or has failed for five days, is paused; the club's admins get an email.
    """
    delivery = WebhookDelivery.objects.filter(pk=delivery_id, state=DeliveryState.WAITING).first()
    webhook = Webhook.objects.select_for_update(no_key=True, of=("self",)).select_related("club")
    hook: Webhook | None = webhook.filter(deliveries=delivery_id).first()
    if delivery is None or hook is None:  # deleted meanwhile
        return None
    delivery.attempts, delivery.tried_at = delivery.attempts + 1, now
    delivery.status, delivery.error = attempt.status, attempt.error or ""
    is_last = delivery.is_test or delivery.attempts > len(RETRY_DELAYS) or attempt.status == GONE_CODE
    if attempt.status in SUCCESS_CODES:
        delivery.state = DeliveryState.DELIVERED
    elif is_last:
        delivery.state = DeliveryState.FAILED
    delivery.save(update_fields=["attempts", "tried_at", "status", "error", "state"])
    _record_result(hook, attempt, now)
    return now + RETRY_DELAYS[delivery.attempts - 1] if delivery.state == DeliveryState.WAITING else None


def _record_result(webhook: Webhook, attempt: Attempt, now: datetime) -> None:
    """Store since when the webhook fails, and pause it if it answers 410 or has failed for too long."""
    failing_since = None if attempt.status in SUCCESS_CODES else webhook.failing_since or now
    if failing_since != webhook.failing_since:
        webhook.failing_since = failing_since
        webhook.save(update_fields=["failing_since"])
    if webhook.paused or failing_since is None:
        return
    if attempt.status == GONE_CODE:
        _pause(webhook, WebhookPause.GONE)
    elif now - failing_since >= MAX_FAILING_TIME:
        _pause(webhook, WebhookPause.FAILING)


def _pause(webhook: Webhook, reason: WebhookPause) -> None:
    webhook.paused = reason
    webhook.save(update_fields=["paused"])
    audit.log(AuditEvent.WEBHOOK_PAUSED, webhook.club, name=webhook.host)
    if reason != WebhookPause.ADMIN:
        club_emails.notify_webhook_paused(webhook)


def end_delivery(delivery_id: int, state: DeliveryState) -> None:
    """Store the final state of a waiting message. There is no further attempt to send the message."""
    WebhookDelivery.objects.filter(pk=delivery_id, state=DeliveryState.WAITING).update(state=state)


@transaction.atomic
def retry_delivery(delivery_id: int, *, now: datetime) -> None:
    """Enqueue a failed message again, for the installation's admin, who retries its failed job.

    The message still waits if the worker was killed after its job failed, before the message was marked as failed.
    """
    not_sent = WebhookDelivery.objects.filter(pk=delivery_id, state__in=(DeliveryState.FAILED, DeliveryState.WAITING))
    if not_sent.update(state=DeliveryState.WAITING):
        enqueue(WEBHOOK_JOB_KIND, str(delivery_id), now=now)


@transaction.atomic
def drop_waiting_messages() -> None:
    """Mark all waiting messages as dropped, and delete their jobs. After a restore, most were sent after the backup."""
    WebhookDelivery.objects.filter(state=DeliveryState.WAITING).update(state=DeliveryState.DROPPED)
    Job.objects.filter(kind=WEBHOOK_JOB_KIND).delete()


def delete_old_messages(now: datetime) -> None:
    """Delete messages that are older than RETENTION_TIME."""
    WebhookDelivery.objects.filter(created_at__lt=now - RETENTION_TIME).delete()


def _lock_webhook(pk: int) -> Webhook:
    webhook: Webhook = Webhook.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=pk)
    return webhook
