"""Invitation links: what one says, signed, so that nobody can make one up. Knows ids, not rows.

A link carries the club's key as it was; renewing the key ends every link made before. It ends by itself after 14 days.
A personal link also carries the record's role: it opens no role with more rights.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core import signing

from league.models.rights import Role

SALT = "players.invitation"
LIFETIME = timedelta(days=14)


class UnreadableInvitation(ValueError):
    """No link of ours: cut off, or made up."""


class Expired(ValueError):
    """It was one of ours, more than 14 days ago."""


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """An invitation to a club: for anyone who holds the link, or for the person of one player record."""

    club: int
    key: str
    by: int | None  # the player who invites; the installation's admin may have none
    player: int | None = None
    role: str = Role.MEMBER  # of the player when the link was made

    @property
    def personal(self) -> bool:
        """Whether it gives a login to a player who is in the club already."""
        return self.player is not None


def token(invitation: Invitation) -> str:
    """Return the last part of the link's address."""
    parts = [invitation.club, invitation.key, invitation.by, invitation.player, invitation.role]
    return signing.dumps(parts, salt=SALT)


def read(text: str) -> Invitation:
    """Return what a token says.

    Raises UnreadableInvitation or Expired; whether the key still holds is the club's to say.
    """
    try:
        club, key, by, player, *role = signing.loads(text, salt=SALT, max_age=LIFETIME)
    except signing.SignatureExpired as late:
        raise Expired from late
    except signing.BadSignature as wrong:
        raise UnreadableInvitation from wrong
    # Links of earlier releases have no role; they open a member's record at most.
    return Invitation(club=club, key=key, by=by, player=player, role=role[0] if role else Role.MEMBER)
