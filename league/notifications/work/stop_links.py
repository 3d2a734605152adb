"""Signed links that stop a kind of email without signing in."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.urls import reverse

from league.models.notification import NotificationKind

SALT = "league.letters"


class UnreadableLink(ValueError):
    """The link is truncated or forged."""


class StopLink(NamedTuple):
    """The user and the kind to stop. It never expires: an old email must work as well."""

    user: int
    kind: NotificationKind


def token(link: StopLink) -> str:
    return signing.dumps([link.user, str(link.kind)], salt=SALT)


def read(text: str) -> StopLink:
    """Raise UnreadableLink."""
    try:
        user, kind = signing.loads(text, salt=SALT)
        return StopLink(user, NotificationKind(kind))
    except (signing.BadSignature, ValueError) as wrong:
        raise UnreadableLink from wrong


def address(link: StopLink) -> str:
    return f"{settings.SITE_ADDRESS}{reverse('league:letters-stop', args=[token(link)])}"
