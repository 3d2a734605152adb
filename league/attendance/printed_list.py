"""The attendance list's lines, as they are printed. Reads only."""

from __future__ import annotations

from typing import NamedTuple

from league.models import Evening
from league.models.evening import Presence
from league.models.rights import Role


class AttendanceLine(NamedTuple):
    """Someone to tick: name, whether a guest, the fee in cents, and whether it is paid."""

    name: str
    guest: bool
    fee: int
    paid: bool


def lines(evening: Evening) -> list[AttendanceLine]:
    """Who is there, by name; before anyone is, the club's people with what they would pay. One query, or two."""
    there = evening.attendances.select_related("player").order_by("player__sort_key", "pk")
    found = [
        AttendanceLine(str(row.player), row.standing == Presence.GUEST, row.fee, row.fee <= row.paid and bool(row.fee))
        for row in there
    ]
    if found:
        return found
    club = evening.season.club
    members = club.memberships.exclude(role=Role.GUEST).select_related("player").order_by("player__sort_key", "pk")
    return [AttendanceLine(str(member.player), False, club.fee_member, False) for member in members]
