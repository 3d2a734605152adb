"""Links by which a letter's reader gets no more of its kind without signing in. Signed, so that nobody makes one up."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.urls import reverse

from league.models.notification import NotificationKind

SALT = "league.letters"


class UnreadableLink(ValueError):
    """No link of ours: cut off, or made up."""


class StopLink(NamedTuple):
    """Whose letters of which kind it stops. It never ends: an old letter is stopped by as well."""

    user: int
    kind: NotificationKind


def token(link: StopLink) -> str:
    """Return the last part of the link's address."""
    return signing.dumps([link.user, str(link.kind)], salt=SALT)


def read(text: str) -> StopLink:
    """Return what a token says. Raises UnreadableLink."""
    try:
        user, kind = signing.loads(text, salt=SALT)
        return StopLink(user, NotificationKind(kind))
    except (signing.BadSignature, ValueError) as wrong:
        raise UnreadableLink from wrong


def address(link: StopLink) -> str:
    """Return the link."""
    return f"{settings.SITE_ADDRESS}{reverse('league:letters-stop', args=[token(link)])}"
