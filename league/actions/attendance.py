from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.refusals import WrongState, check_no_tournament, check_not_closed
from league.actions.season_lock import lock_season_of_evening_shared
from league.evenings.queries.draw_input import DRAW_ATTENDANCE_FIELDS
from league.models import Attendance, Evening, Intention, Membership, Seat
from league.models.audit_entry import AuditEvent
from league.models.evening import UNFINISHED_STATES, AttendanceRole
from league.models.rights import Role
from league.models.round import RoundState
from league.models.season import SeasonState


class NotClubMembers(ValueError):
    """Some players are not members of the evening's club; `players` has the ids of these players."""

    def __init__(self, players: Collection[int]) -> None:
        super().__init__(players)
        self.players = frozenset(players)


class StillSeated(ValueError):
    """The player has a seat in an accepted round of the evening, and cannot be checked out."""


class AlreadyCheckedOut(WrongState):
    """Another user has checked the player out meanwhile."""


class PartnerNotAvailable(ValueError):
    """The chosen partner is not at the evening, or has another partner."""


@transaction.atomic
def check_in(evening_id: int, players: Collection[int]) -> list[Attendance]:
    """Check players (ids) in at an evening, and return the new attendances. Raise WrongState or NotClubMembers.

    Players who are checked in already are skipped. The status (member or guest) and the fee follow from the player's
    role in the club; a later change of the role does not change them. Late players play from the next round on. Rounds
    that are drawn but not accepted are deleted.
    """
    evening = lock_unfinished_evening(evening_id)
    check_no_tournament(evening.season)
    new_attendances = add_attendances(evening, players, from_round=next_round_number(evening))
    if new_attendances:
        count = len(new_attendances)
        player = new_attendances[0].player_id if count == 1 else None
        audit.log(AuditEvent.CHECKED_IN, evening, player=player, count=count)
        evening.rounds.planned().delete()
    return new_attendances


@transaction.atomic
def record_intention(evening_id: int, player_id: int, *, comes: bool) -> Intention:
    """Store whether a player intends to come to an evening that is not over. Raise WrongState or NotClubMembers."""
    evening = lock_evening(evening_id)
    if evening.state not in UNFINISHED_STATES:
        raise WrongState(_("The evening is over."))
    if evening.season.state == SeasonState.DRAFT:
        raise WrongState(_("The season has not begun."))
    if not Membership.objects.filter(club=evening.season.club, player=player_id).exists():
        raise NotClubMembers([player_id])
    intention: Intention
    intention, _new = Intention.objects.update_or_create(
        evening=evening, player_id=player_id, defaults={"comes": comes}
    )
    return intention


@transaction.atomic
def check_out(attendance_id: int) -> None:
    """Delete an attendance, and the rounds of the evening that are drawn but not accepted.

    Raise StillSeated or WrongState. If the attendance does not exist any more, do nothing.
    """
    try:
        attendance = _lock_attendance(attendance_id)
    except AlreadyCheckedOut:
        return
    played = Seat.objects.filter(round__evening=attendance.evening_id, round__state=RoundState.ACCEPTED)
    if played.filter(player=attendance.player_id).exists():
        raise StillSeated
    _clear_partner(attendance)
    attendance.evening.rounds.planned().delete()
    attendance.delete()
    audit.log(AuditEvent.CHECKED_OUT, attendance)


@transaction.atomic
def set_paid(attendance_id: int, *, paid: bool) -> Attendance:
    """Record that the player has paid the whole fee of the evening, or nothing. Raise WrongState in a closed season."""
    lock_evening(_evening_id_of(attendance_id))
    attendance = _find_attendance(attendance_id)
    attendance.paid = attendance.fee if paid else 0
    attendance.save(update_fields=["paid"])
    audit.log(AuditEvent.FEE_PAID if paid else AuditEvent.FEE_UNPAID, attendance)
    return attendance


@transaction.atomic
def set_leaving(attendance_id: int, *, leaves: bool) -> Attendance:
    """Store whether a player leaves before the next round. Raise WrongState if the evening is over.

    Rounds that are drawn but not accepted are deleted. For a player who leaves before the first round call `check_out`
    instead.
    """
    attendance = _lock_attendance(attendance_id)
    last = max(next_round_number(attendance.evening) - 1, attendance.from_round)
    attendance.to_round = last if leaves else None
    attendance.save(update_fields=["to_round"])
    attendance.evening.rounds.planned().delete()
    audit.log(AuditEvent.CHECK_IN_CHANGED, attendance)
    return attendance


@transaction.atomic
def change(attendance_id: int, fields: Mapping[str, object]) -> Attendance:
    """Store new values of an attendance, by field name: rounds, fee and payment in cents, fixed table, partner.

    The partner's attendance is changed too. If a field changes that the draw depends on, rounds that are drawn but not
    accepted are deleted. Raise PartnerNotAvailable or WrongState.
    """
    attendance = _lock_attendance(attendance_id)
    before = {name: getattr(attendance, name) for name in DRAW_ATTENDANCE_FIELDS}
    for name, value in fields.items():
        setattr(attendance, name, value)
    if attendance.partner_id != before["partner_id"]:
        _update_partners(attendance)
    attendance.save(update_fields=list(fields))
    if before != {name: getattr(attendance, name) for name in DRAW_ATTENDANCE_FIELDS}:
        attendance.evening.rounds.planned().delete()
    audit.log(AuditEvent.CHECK_IN_CHANGED, attendance)
    return attendance


def _update_partners(attendance: Attendance) -> None:
    """Make the player the partner of the chosen partner, and of no other player. Raise PartnerNotAvailable."""
    partner = attendance.partner_id
    _clear_partner(attendance)
    if partner is None:
        return
    present = Attendance.objects.filter(evening=attendance.evening_id, player=partner)
    if not present.filter(Q(partner=None) | Q(partner=attendance.player_id)).exists():
        raise PartnerNotAvailable
    present.update(partner=attendance.player_id)


def _clear_partner(attendance: Attendance) -> None:
    """Remove the player as the partner of other players of the evening."""
    Attendance.objects.filter(evening=attendance.evening_id, partner=attendance.player_id).update(partner=None)


def _lock_attendance(attendance_id: int) -> Attendance:
    evening = lock_unfinished_evening(_evening_id_of(attendance_id))
    check_no_tournament(evening.season)
    attendance = _find_attendance(attendance_id)
    attendance.evening = evening
    return attendance


def _find_attendance(attendance_id: int) -> Attendance:
    attendance: Attendance | None = Attendance.objects.filter(pk=attendance_id).first()
    if attendance is None:
        raise AlreadyCheckedOut(_("This check-in was taken back meanwhile."))
    return attendance


def _evening_id_of(attendance_id: int) -> int:
    return _find_attendance(attendance_id).evening_id


def next_round_number(evening: Evening) -> int:
    """Return the number after the last accepted round of the evening."""
    return 1 + max(evening.rounds.accepted().values_list("number", flat=True), default=0)


def lock_unfinished_evening(evening_id: int) -> Evening:
    """Lock the evening as `lock_evening` does. Raise WrongState unless it is planned or open."""
    evening = lock_evening(evening_id)
    if evening.state not in UNFINISHED_STATES:
        raise WrongState(
            _("The evening is %(state)s: open it again to change who is there.")
            % {"state": evening.get_state_display().lower()}
        )
    return evening


def lock_evening(evening_id: int) -> Evening:
    """Return the evening, with a lock on its row and a shared lock on its season. Raise WrongState in a closed season.

    The primary key is not locked, so that new rows may refer to the evening.
    """
    lock_season_of_evening_shared(evening_id)
    evening: Evening = (
        Evening.objects.select_for_update(of=("self",), no_key=True).select_related("season__club").get(pk=evening_id)
    )
    check_not_closed(evening.season)
    return evening


def add_attendances(
    evening: Evening, players: Collection[int], *, from_round: int = 1, is_import: bool = False
) -> list[Attendance]:
    """Check players in at a locked evening, except those who are checked in; return the new attendances.

    The fee follows from the player's role in the club. With `is_import` it is 0: a list of past results does not have
    the fees, and nobody owes today's. Raise NotClubMembers.
    """
    club = evening.season.club
    present = set(evening.attendances.filter(player__in=players).values_list("player_id", flat=True))
    missing = set(players) - present
    roles = dict(Membership.objects.filter(club=club, player__in=missing).values_list("player_id", "role"))
    if strangers := missing - roles.keys():
        raise NotClubMembers(strangers)
    fee_member, fee_guest = (0, 0) if is_import else (club.fee_member, club.fee_guest)
    return Attendance.objects.bulk_create(
        Attendance(
            evening=evening,
            player_id=player,
            from_round=from_round,
            standing=AttendanceRole.GUEST if role == Role.GUEST else AttendanceRole.MEMBER,
            fee=fee_guest if role == Role.GUEST else fee_member,
        )
        for player, role in sorted(roles.items())
    )
