"""Rate limits for emails to an address that a user typed, because the address may belong to another person.

Emails are counted in the cache, by mailbox; the limits are in the setting ACCOUNT_RATE_LIMITS. Without the cache, only
limits per user apply.
"""

from __future__ import annotations

from typing import Final

import structlog
from allauth.account.models import EmailAddress
from allauth.core.ratelimit import consume
from django.http import HttpRequest

log = structlog.get_logger(__name__)

DOMAINS_IGNORING_DOTS: Final = ("gmail.com", "googlemail.com")  # at these domains, a.b@ and ab@ are the same mailbox


def consume_requested_email_limit(address: str) -> bool:
    """Count an email that a visitor requested. Return False if the limit of the address is reached."""
    return _consume_limit("requested_mail", address)


def consume_invitation_limit(address: str, *, dry_run: bool = False) -> bool:
    """Count an invitation, unless `dry_run`. Return False if the limit of the address is reached."""
    return _consume_limit("invitation", address, dry_run=dry_run)


def consume_notification_limit(address: str) -> bool:
    """Count a notification. Return False if the limit is reached; a confirmed address has no limit."""
    if EmailAddress.objects.filter(email=address.lower(), verified=True).exists():
        return True
    if _consume_limit("unconfirmed_mail", address):
        return True
    log.warning("mail_not_sent", about="limit of an address that is not confirmed")
    return False


def mailbox(address: str) -> str:
    """Return the address in lower case without its tag ("+news"), and without dots if its domain ignores them."""
    local, _separator, domain = address.strip().lower().rpartition("@")
    local = local.partition("+")[0] or local
    return f"{local.replace('.', '') if domain in DOMAINS_IGNORING_DOTS else local}@{domain}"


def _consume_limit(action: str, address: str, *, dry_run: bool = False) -> bool:
    # All rates are by key, so allauth reads nothing from the request.
    return bool(consume(HttpRequest(), action=action, key=mailbox(address), dry_run=dry_run))
