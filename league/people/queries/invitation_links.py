"""Signed invitation links. Knows ids, not rows.

A link contains the club's key: renewing the key ends all links made before. A link expires after 14 days.
A personal link also contains the record's role: it gives no role with more rights.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core import signing

from league.models.rights import Role

SALT = "players.invitation"
LIFETIME = timedelta(days=14)


class UnreadableInvitation(ValueError):
    """The token is incomplete or not signed by this installation."""


class Expired(ValueError):
    """The token is older than 14 days."""


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """An invitation to a club: for anyone who holds the link, or for the person of one player record."""

    club: int
    key: str
    invited_by: int | None  # a player; the installation's admin may have none
    player: int | None = None
    role: str = Role.MEMBER  # of the player when the link was made

    @property
    def personal(self) -> bool:
        return self.player is not None


def token(invitation: Invitation) -> str:
    parts = [invitation.club, invitation.key, invitation.invited_by, invitation.player, invitation.role]
    return signing.dumps(parts, salt=SALT)


def read(text: str) -> Invitation:
    """Return the invitation of a token; the caller checks the club's key.

    Raise UnreadableInvitation or Expired.
    """
    try:
        club, key, invited_by, player, *role = signing.loads(text, salt=SALT, max_age=LIFETIME)
    except signing.SignatureExpired as expired:
        raise Expired from expired
    except signing.BadSignature as error:
        raise UnreadableInvitation from error
    # Links of earlier releases have no role: they give the role of a member at most.
    return Invitation(club=club, key=key, invited_by=invited_by, player=player, role=role[0] if role else Role.MEMBER)
