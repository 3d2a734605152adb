"""The doors of attendance: who comes to an evening, and who was put down by mistake. Knows players by id only."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.models import Attendance, Evening, Membership, Seat
from league.models.club import Role
from league.models.evening import EveningState, Presence, WrongState
from league.models.season import SeasonState


class NotOfClub(ValueError):
    """Players who don't belong to the evening's club; `players` are their ids."""

    def __init__(self, players: Collection[int]) -> None:
        super().__init__(players)
        self.players = frozenset(players)


class StillSeated(ValueError):
    """The player has a seat in that evening."""


@transaction.atomic
def check_in(evening_id: int, players: Collection[int]) -> list[Attendance]:
    """Put players of the club down as present, and give the rows that are new; being present already is no error.

    Standing and fee follow from the role, and stay when the role changes. Raises WrongState or NotOfClub.
    """
    evening = locked_for_seating(evening_id)
    return put_down(evening, players)


@transaction.atomic
def check_out(attendance_id: int) -> None:
    """Take back that a player is present. Raises StillSeated while he has a seat in the evening, or WrongState."""
    attendance = Attendance.objects.get(pk=attendance_id)
    locked_for_seating(attendance.evening_id)
    if Seat.objects.filter(round__evening=attendance.evening_id, player=attendance.player_id).exists():
        raise StillSeated
    attendance.delete()


def locked_for_seating(evening_id: int) -> Evening:
    """The evening, locked, if people may be checked in and seated now. Call it in a transaction; raises WrongState."""
    evening = locked(evening_id)
    if evening.state not in (EveningState.PLANNED, EveningState.OPEN):
        raise WrongState(
            _("The evening is %(state)s: open it again to change who is there.")
            % {"state": evening.get_state_display().lower()}
        )
    return evening


def locked(evening_id: int) -> Evening:
    """The evening with season and club, its row locked against other secretaries. Raises WrongState in a closed season.

    Rows that only refer to the evening may still come: the lock is not on its key.
    """
    evening: Evening = (
        Evening.objects.select_for_update(of=("self",), no_key=True).select_related("season__club").get(pk=evening_id)
    )
    if evening.season.state == SeasonState.CLOSED:
        raise WrongState(_("The season is closed. Open it first."))
    return evening


def put_down(evening: Evening, players: Collection[int]) -> list[Attendance]:
    """New rows for those who aren't down yet, in a transaction that holds the evening. Raises NotOfClub."""
    club = evening.season.club
    down = set(evening.attendances.filter(player__in=players).values_list("player_id", flat=True))
    missing = set(players) - down
    roles = dict(Membership.objects.filter(club=club, player__in=missing).values_list("player_id", "role"))
    if strangers := missing - roles.keys():
        raise NotOfClub(strangers)
    return Attendance.objects.bulk_create(
        Attendance(
            evening=evening,
            player_id=player,
            standing=Presence.GUEST if role == Role.GUEST else Presence.MEMBER,
            fee=club.fee_guest if role == Role.GUEST else club.fee_member,
        )
        for player, role in sorted(roles.items())
    )
