from __future__ import annotations

from typing import NamedTuple

from django.core import signing
from django.urls import reverse

from league.actions.club_emails import absolute_address
from league.models.notification import NotificationKind

SALT = "league.letters"


class UnreadableLink(ValueError):
    """The link is truncated or forged."""


class UnsubscribeLink(NamedTuple):
    """The content of an unsubscribe link: a user, and a kind of email.

    It does not expire: links in old emails must work.
    """

    user: int
    kind: NotificationKind


def sign_link(link: UnsubscribeLink) -> str:
    return signing.dumps([link.user, str(link.kind)], salt=SALT)


def read_link(text: str) -> UnsubscribeLink:
    """Return the content of the token `text`. Raise UnreadableLink."""
    try:
        user, kind = signing.loads(text, salt=SALT)
        return UnsubscribeLink(user, NotificationKind(kind))
    except (signing.BadSignature, ValueError) as wrong:
        raise UnreadableLink from wrong


def link_address(link: UnsubscribeLink) -> str:
    return absolute_address(reverse("league:letters-stop", args=[sign_link(link)]))
