"""Checking people in to an evening and out of it, their rounds, fees and partners. Players are ids here."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.refusals import WrongState, check_not_closed
from league.actions.season_lock import share_season_of
from league.evenings.queries.present import REPLANNED
from league.models import Attendance, Evening, Intention, Membership, Seat
from league.models.audit_entry import AuditEvent
from league.models.evening import NOT_OVER, Presence
from league.models.rights import Role
from league.models.round import RoundState
from league.models.season import SeasonState


class NotOfClub(ValueError):
    """Players who don't belong to the evening's club; `players` are their ids."""

    def __init__(self, players: Collection[int]) -> None:
        super().__init__(players)
        self.players = frozenset(players)


class StillSeated(ValueError):
    """The player has a seat in a round of that evening that is or was played."""


class TakenOff(WrongState):
    """Somebody else has taken the check-in back meanwhile."""


class NotPresent(ValueError):
    """The named partner isn't at the evening, or has another partner."""


@transaction.atomic
def check_in(evening_id: int, players: Collection[int]) -> list[Attendance]:
    """Put players of the club down as present, and give the rows that are new; being present already is no error.

    Standing and fee follow from the role, and stay when the role changes. Who comes late counts from the next round;
    what was planned for it is planned again. Raises WrongState or NotOfClub.
    """
    evening = locked_for_seating(evening_id)
    come = put_down(evening, players, from_round=next_round(evening))
    if come:
        audit.log(AuditEvent.CHECKED_IN, evening, player=come[0].player_id if len(come) == 1 else None, count=len(come))
        evening.rounds.planned().delete()
    return come


@transaction.atomic
def answer(evening_id: int, player_id: int, *, comes: bool) -> Intention:
    """Write whether a player of the club means to come; the last answer stands. Raises WrongState or NotOfClub."""
    evening = locked(evening_id)
    if evening.state not in NOT_OVER:
        raise WrongState(_("The evening is over."))
    if evening.season.state == SeasonState.DRAFT:
        raise WrongState(_("The season has not begun."))
    if not Membership.objects.filter(club=evening.season.club, player=player_id).exists():
        raise NotOfClub([player_id])
    said: Intention
    said, _new = Intention.objects.update_or_create(evening=evening, player_id=player_id, defaults={"comes": comes})
    return said


@transaction.atomic
def check_out(attendance_id: int) -> None:
    """Take back that a player is present; twice at once is once.

    Raises StillSeated while he has a seat in the evening, or WrongState.
    """
    try:
        attendance = _locked_attendance(attendance_id)
    except TakenOff:
        return
    played = Seat.objects.filter(round__evening=attendance.evening_id, round__state=RoundState.ACCEPTED)
    if played.filter(player=attendance.player_id).exists():
        raise StillSeated
    _part(attendance)
    attendance.evening.rounds.planned().delete()
    attendance.delete()
    audit.log(AuditEvent.CHECKED_OUT, attendance)


@transaction.atomic
def pay(attendance_id: int, *, paid: bool) -> Attendance:
    """Write that the fee is paid, all of it, or not at all. Raises WrongState in a closed season, or TakenOff."""
    locked(_evening_of(attendance_id))
    attendance = _attendance(attendance_id)
    attendance.paid = attendance.fee if paid else 0
    attendance.save(update_fields=["paid"])
    audit.log(AuditEvent.FEE_PAID if paid else AuditEvent.FEE_UNPAID, attendance)
    return attendance


@transaction.atomic
def leave(attendance_id: int, *, leaves: bool) -> Attendance:
    """Write that the player leaves after the last accepted round, or stays after all. Raises WrongState.

    Who leaves before the first round is checked out instead: there is nothing that he played.
    """
    attendance = _locked_attendance(attendance_id)
    last = max(next_round(attendance.evening) - 1, attendance.from_round)
    attendance.to_round = last if leaves else None
    attendance.save(update_fields=["to_round"])
    attendance.evening.rounds.planned().delete()
    audit.log(AuditEvent.CHECK_IN_CHANGED, attendance)
    return attendance


@transaction.atomic
def change(attendance_id: int, fields: Mapping[str, object]) -> Attendance:
    """Write an attendance's fields: rounds, amounts in cents, fixed table, and `partner`, who gets this one as his own.

    What was planned is planned again if it no longer fits. Raises NotPresent or WrongState.
    """
    attendance = _locked_attendance(attendance_id)
    before = {name: getattr(attendance, name) for name in REPLANNED}
    for name, value in fields.items():
        setattr(attendance, name, value)
    if attendance.partner_id != before["partner_id"]:
        _pair(attendance)
    attendance.save(update_fields=list(fields))
    if before != {name: getattr(attendance, name) for name in REPLANNED}:
        attendance.evening.rounds.planned().delete()
    audit.log(AuditEvent.CHECK_IN_CHANGED, attendance)
    return attendance


def _pair(attendance: Attendance) -> None:
    """Make two each other's partner, and end what pair either of them was in."""
    partner = attendance.partner_id
    _part(attendance)
    if partner is None:
        return
    there = Attendance.objects.filter(evening=attendance.evening_id, player=partner)
    if not there.filter(Q(partner=None) | Q(partner=attendance.player_id)).exists():
        raise NotPresent
    there.update(partner=attendance.player_id)


def _part(attendance: Attendance) -> None:
    Attendance.objects.filter(evening=attendance.evening_id, partner=attendance.player_id).update(partner=None)


def _locked_attendance(attendance_id: int) -> Attendance:
    """Return the row as it stands once its evening is locked for seating."""
    evening = locked_for_seating(_evening_of(attendance_id))
    attendance = _attendance(attendance_id)
    attendance.evening = evening
    return attendance


def _attendance(attendance_id: int) -> Attendance:
    found: Attendance | None = Attendance.objects.filter(pk=attendance_id).first()
    if found is None:
        raise TakenOff(_("This check-in was taken back meanwhile."))
    return found


def _evening_of(attendance_id: int) -> int:
    return _attendance(attendance_id).evening_id


def next_round(evening: Evening) -> int:
    """Return the number of the round that comes after those that are accepted: who comes now plays from it on."""
    return 1 + max(evening.rounds.accepted().values_list("number", flat=True), default=0)


def locked_for_seating(evening_id: int) -> Evening:
    """Return the evening, locked, if people may be checked in and seated now.

    Call it in a transaction; raises WrongState.
    """
    evening = locked(evening_id)
    if evening.state not in NOT_OVER:
        raise WrongState(
            _("The evening is %(state)s: open it again to change who is there.")
            % {"state": evening.get_state_display().lower()}
        )
    return evening


def locked(evening_id: int) -> Evening:
    """Lock the evening against other secretaries; return it with season and club. Raises WrongState in a closed season.

    Rows that only refer to the evening may still come: the lock is not on its key.
    """
    share_season_of(evening_id)
    evening: Evening = (
        Evening.objects.select_for_update(of=("self",), no_key=True).select_related("season__club").get(pk=evening_id)
    )
    check_not_closed(evening.season)
    return evening


def put_down(evening: Evening, players: Collection[int], *, from_round: int = 1) -> list[Attendance]:
    """Add those who aren't down yet, in a transaction that holds the evening. Raises NotOfClub."""
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
            from_round=from_round,
            standing=Presence.GUEST if role == Role.GUEST else Presence.MEMBER,
            fee=club.fee_guest if role == Role.GUEST else club.fee_member,
        )
        for player, role in sorted(roles.items())
    )
