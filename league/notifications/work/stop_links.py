from __future__ import annotations

from typing import NamedTuple

from django.core import signing
from django.urls import reverse

from league.actions.club_emails import absolute_address
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
    try:
        user, kind = signing.loads(text, salt=SALT)
        return StopLink(user, NotificationKind(kind))
    except (signing.BadSignature, ValueError) as wrong:
        raise UnreadableLink from wrong


def address(link: StopLink) -> str:
    return absolute_address(reverse("league:letters-stop", args=[token(link)]))
