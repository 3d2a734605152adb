"""Webhooks (addresses of clubs' own programs that receive events of the club), and the messages sent to them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Final, Self
from urllib.parse import urlsplit
from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, visible_condition
from players.models.person import Viewer

MAX_WEBHOOKS: Final = 5  # webhooks of a club
TEST_EVENT: Final = "webhook.test"  # for a message that an admin sends as a test


class WebhookEvent(models.TextChoices):
    """The events that webhooks can choose. The messages contain these values."""

    EVENING_CLOSED = "evening.closed", _("An evening is closed")
    STANDINGS_CHANGED = "standings.changed", _("The standings of a season have changed")
    RESULTS_PUBLISHED = "tournament.results_published", _("The results of a tournament are published")


class WebhookPause(models.TextChoices):
    """The reason why a webhook gets no messages at present."""

    ADMIN = "admin", _("Paused by an admin")
    GONE = "gone", _("Paused: the address answered that it is gone (410)")
    FAILING = "failing", _("Paused: the address has failed for days")


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(visible_condition(user, "club"))

    def managed_by(self, user: Viewer) -> Self:
        return self.filter(club__in=Club.objects.managed_by(user))

    def receiving(self, event: WebhookEvent, clubs: Iterable[int]) -> Self:
        return self.filter(club__in=clubs, club__delete_at=None, paused="", events__contains=[event])


class Webhook(models.Model):
    """An address of a club's own program. Messages are signed with `secret`, and until `previous_until` also with the
    previous secret.

    The secrets are stored unencrypted, because each message is signed with them. No page shows a secret a second time.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="webhooks")
    address = models.URLField(_("address"), max_length=500)
    events = ArrayField(models.CharField(max_length=40, choices=WebhookEvent), verbose_name=_("events"))
    secret = models.CharField(max_length=80, editable=False)
    previous_secret = models.CharField(max_length=80, blank=True, default="", editable=False)
    previous_until = models.DateTimeField(null=True, editable=False)
    secret_number = models.PositiveIntegerField(default=1, editable=False)  # number of secrets so far
    paused = models.CharField(max_length=7, choices=WebhookPause, blank=True, default="", editable=False)
    failing_since = models.DateTimeField(null=True, editable=False)  # the first failure after the last success
    created_at = models.DateTimeField(editable=False)

    objects: ClassVar = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("webhook")
        constraints = [
            models.UniqueConstraint(fields=["club", "address"], name="webhook_once_an_address"),
            models.CheckConstraint(
                condition=Q(events__contained_by=WebhookEvent.values, events__len__gt=0),
                name="webhook_events_are_known",
            ),
            models.CheckConstraint(condition=Q(paused__in=["", *WebhookPause.values]), name="webhook_pause_is_known"),
            models.CheckConstraint(
                condition=Q(previous_secret="", previous_until=None)
                | (~Q(previous_secret="") & Q(previous_until__isnull=False)),
                name="webhook_previous_secret_ends",
            ),
        ]

    def __str__(self) -> str:
        return self.host

    def get_absolute_url(self) -> str:
        return reverse("league:webhook", args=[self.pk])

    @property
    def host(self) -> str:
        """The host name of the address. Pages show only the host, because the rest of the address may give access."""
        return urlsplit(self.address).hostname or ""

    def valid_secrets(self, now: datetime) -> list[str]:
        if self.previous_until is None or self.previous_until <= now:
            return [self.secret]
        return [self.secret, self.previous_secret]

    @property
    def event_labels(self) -> list[str]:
        return [str(WebhookEvent(event).label) for event in self.events]


class DeliveryState(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    DELIVERED = "delivered", _("Delivered")
    FAILED = "failed", _("Failed")
    DROPPED = "dropped", _("Not sent")  # the address is paused, or the subject no longer exists


class DeliveryError(models.TextChoices):
    """The reason why an attempt to send a message got no HTTP status."""

    ADDRESS = "address", _("The address is not on the public internet")
    NAME = "name", _("The name of the host was not found")
    CONNECTION = "connection", _("No connection")
    CERTIFICATE = "certificate", _("No valid certificate")
    TIMEOUT = "timeout", _("No answer in time")
    ANSWER = "answer", _("No answer in HTTP")


def new_message_id() -> str:
    return f"msg_{uuid4().hex}"


class WebhookDelivery(models.Model):
    """A message to one webhook, stored in the transaction of its event. A job sends it.

    `subject` is the id of an evening, season or tournament, depending on `event`. The text of the message is created at
    each attempt, so that no name of a person is stored here.
    """

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    message_id = models.CharField(max_length=40, unique=True, default=new_message_id)
    event = models.CharField(max_length=40, choices=[*WebhookEvent.choices, (TEST_EVENT, _("Test"))])
    subject = models.BigIntegerField(null=True)  # None for a test
    state = models.CharField(max_length=9, choices=DeliveryState, default=DeliveryState.WAITING)
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)  # time of the last attempt
    status = models.PositiveSmallIntegerField(null=True)  # HTTP status of the last attempt
    error = models.CharField(max_length=11, choices=DeliveryError, blank=True, default="")

    objects: ClassVar[models.Manager[WebhookDelivery]] = models.Manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("delivery")
        constraints = [
            models.CheckConstraint(
                condition=Q(event=TEST_EVENT, subject=None) | Q(event__in=WebhookEvent.values, subject__isnull=False),
                name="webhook_delivery_has_its_subject",
            ),
            models.CheckConstraint(condition=Q(state__in=DeliveryState.values), name="webhook_delivery_state_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.message_id}"

    @property
    def is_test(self) -> bool:
        return self.event == TEST_EVENT

    @property
    def result(self) -> str:
        """The result of the last attempt in words, without its time; "" before the first attempt."""
        return str(self.get_error_display()) if self.error else f"HTTP {self.status}" if self.status else ""
