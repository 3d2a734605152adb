"""Read the events of a mail provider. django-anymail parses them and checks the provider's signature."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from anymail.exceptions import AnymailWebhookValidationFailure
from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

# By the value of the setting EMAIL_EVENTS: the view class of django-anymail, and the argument for the signing key.
PROVIDERS: Final = {
    "mailgun": ("anymail.webhooks.mailgun.MailgunTrackingWebhookView", "webhook_signing_key"),
    "mailersend": ("anymail.webhooks.mailersend.MailerSendTrackingWebhookView", "signing_secret"),
}
# Values of anymail's EventType. Without "deferred", because the provider tries again.
RETURNED_EVENT_TYPES: Final = ("bounced", "rejected", "failed")
COMPLAINT_EVENT_TYPE: Final = "complained"
# anymail also raises these errors for a body that no provider would send.
UNREADABLE_BODY_ERRORS: Final = (LookupError, TypeError, ValueError, AttributeError, RecursionError)


class UnreadableEvents(ValueError):
    """The request has no valid signature of the provider, or contains no readable events."""


class ProviderEvent(NamedTuple):
    """A returned email, or a recipient's complaint about an email. `address` is the email address of the recipient."""

    address: str
    is_complaint: bool


def read_events(request: HttpRequest) -> list[ProviderEvent]:
    """Return the returned emails and complaints in the request. Raise UnreadableEvents."""
    class_name, key_name = PROVIDERS[settings.EMAIL_EVENTS]
    provider: Any = import_string(class_name)(**{key_name: settings.EMAIL_EVENTS_KEY})
    try:
        provider.run_validators(request)
        events = provider.parse_events(request)
    except (AnymailWebhookValidationFailure, *UNREADABLE_BODY_ERRORS) as error:
        raise UnreadableEvents from error
    return [
        ProviderEvent(event.recipient, event.event_type == COMPLAINT_EVENT_TYPE)
        for event in events
        if event.event_type in (*RETURNED_EVENT_TYPES, COMPLAINT_EVENT_TYPE) and _is_address(event.recipient)
    ]


def _is_address(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value  # PostgreSQL has no text with this character
