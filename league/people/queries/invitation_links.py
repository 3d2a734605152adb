"""Signed links that invite people to a club. This module handles ids only and runs no query.

A link contains the club's key: a new key invalidates all earlier links. A link expires after 14 days. A personal link
also contains the role of the invited player, and gives no role with more rights.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core import signing

from league.models.rights import Role

SALT = "players.invitation"
LIFETIME = timedelta(days=14)


class UnreadableInvitation(ValueError):
    """The token is truncated, or was not signed by this installation."""


class ExpiredInvitation(ValueError):
    """The token is older than 14 days."""


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """The content of an invitation link: for anyone with the link, or (personal) for one player of the club."""

    club: int
    key: str
    invited_by: int | None  # id of a player; None for a superuser without a player
    player: int | None = None
    role: str = Role.MEMBER  # the invited player's role when the link was created


def sign_invitation(invitation: Invitation) -> str:
    parts = [invitation.club, invitation.key, invitation.invited_by, invitation.player, invitation.role]
    return signing.dumps(parts, salt=SALT)


def read_invitation(text: str) -> Invitation:
    """Return the content of a token. Raise UnreadableInvitation or ExpiredInvitation.

    The caller must compare the invitation's `key` with the club's present key.
    """
    try:
        club, key, invited_by, player, *role = signing.loads(text, salt=SALT, max_age=LIFETIME)
    except signing.SignatureExpired as expired:
        raise ExpiredInvitation from expired
    except signing.BadSignature as error:
        raise UnreadableInvitation from error
    # Links of earlier releases have no role: they give the role of a member at most.
    return Invitation(club=club, key=key, invited_by=invited_by, player=player, role=role[0] if role else Role.MEMBER)
