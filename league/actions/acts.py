"""Noting acts of which no fact tells, and forgetting from where somebody acted."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from league.models import Act, Club, Round
from league.models.act import ActKind
from players.models import Player, User

ADDRESSES: Final = timedelta(days=365)  # for so long it is known from where somebody acted


def note(
    kind: ActKind,
    by: User | None = None,
    *,
    club: Club | None = None,
    player: Player | None = None,
    round_: Round | None = None,
    about: str = "",
) -> None:
    """Keep that somebody did this, for the club or, with none, for himself; without `by`, whoever made the request."""
    Act.objects.create(kind=kind, user=by, club=club, player=player, round=round_, about=about)


def note_of_clubs(kind: ActKind, by: User | None, player: Player, *, about: str = "") -> None:
    """Keep in each club of a person that this was done to his record; without `by`, by whoever made the request."""
    for membership in player.memberships.select_related("club"):
        note(kind, by, club=membership.club, player=player, about=about)


def forget_addresses(now: datetime) -> None:
    """Forget from where somebody acted more than a year ago; that he did stays."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pghistory_context SET metadata = metadata - 'address'"
            " WHERE created_at < %s AND metadata ? 'address'",
            [now - ADDRESSES],
        )
