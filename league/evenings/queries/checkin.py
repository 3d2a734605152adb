"""The check-in list of an evening, on the page and on paper, and the totals of its cash box."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from league.models import Attendance, Evening, Intention, Membership, Seat
from league.models.evening import AttendanceRole
from league.models.rights import Role
from league.models.round import RoundState
from players.models import Player

MAX_PEOPLE = 120  # people in the list; a search finds the others

ALL, PRESENT, ABSENT = "everyone", "there", "absent"


@dataclass(frozen=True)
class CheckInPerson:
    player: Player
    guest: bool
    row: Attendance | None  # None if not checked in; annotated with `seated`
    comes: bool | None  # the player's answer to "I come"; None without an answer


@dataclass(frozen=True)
class SearchResult:
    people: tuple[CheckInPerson, ...] = ()  # in the order of `search_people`
    has_more: bool = False
    widened: bool = False  # no match among the selected people, so all people of the club were searched


@dataclass(frozen=True)
class CashBox:
    """Totals of an evening's check-in. `present`, `guests` and `unpaid` count players; `due`, `paid` and `owed` are
    cents.
    """

    present: int
    guests: int
    due: int
    paid: int
    unpaid: int  # players who have paid less than their fee
    owed: int  # the sum that these players still owe


class CheckInListLine(NamedTuple):
    """A line of the printed check-in list. The fee is in cents. `paid` is False if there is no fee."""

    name: str
    guest: bool
    fee: int
    paid: bool


def search_people(evening: Evening, typed: str, show: str) -> SearchResult:
    """Return the people of the club whose name contains the text `typed`, at most MAX_PEOPLE.

    `show` is ALL, PRESENT (checked in) or ABSENT. Players who announced that they come are listed first, then the
    others by the date of their last earlier evening, the latest first. A check-in does not change this order.
    """
    members = _members(evening).filter(player__in=Player.objects.search(typed))
    if show == PRESENT:
        members = members.filter(player__in=evening.attendances.values("player"))
    elif show == ABSENT:
        members = members.exclude(player__in=evening.attendances.values("player"))
    people = _people(evening, members[: MAX_PEOPLE + 1])
    if not people and typed and show in (PRESENT, ABSENT):
        return replace(search_people(evening, typed, ALL), widened=True)
    return SearchResult(people[:MAX_PEOPLE], len(people) > MAX_PEOPLE)


def find_check_in_person(evening: Evening, player_id: int) -> CheckInPerson:
    """Return one person of the club for the check-in list. A player outside the club raises ValueError."""
    [person] = _people(evening, _members(evening).filter(player=player_id)[:1])
    return person


def cash_box(evening: Evening) -> CashBox:
    owing = Q(paid__lt=F("fee"))
    sums = evening.attendances.aggregate(
        sum_present=Count("pk"),
        sum_guests=Count("pk", filter=Q(standing=AttendanceRole.GUEST)),
        sum_due=Coalesce(Sum("fee"), 0),
        sum_paid=Coalesce(Sum("paid"), 0),
        sum_unpaid=Count("pk", filter=owing),
        sum_owed=Coalesce(Sum(F("fee") - F("paid"), filter=owing), 0),
    )
    return CashBox(**{name.removeprefix("sum_"): number for name, number in sums.items()})


def attendances_with_seats(evening: Evening) -> QuerySet[Attendance, Attendance]:
    """Return the evening's attendances, annotated with `seated`: True if the player has a seat at a table."""
    seats = Seat.objects.filter(round__evening=evening, round__state=RoundState.ACCEPTED, player=OuterRef("player"))
    rows: QuerySet[Attendance, Attendance] = evening.attendances.select_related("player", "partner")
    return rows.annotate(seated=Exists(seats))


def check_in_list_lines(evening: Evening) -> list[CheckInListLine]:
    """Return the lines of the printed check-in list: one per attendance, sorted by name.

    Before the first check-in the list shows the club's members with the usual fee.
    """
    attendances = evening.attendances.select_related("player").order_by("player__work_key", "pk")
    lines = [
        CheckInListLine(
            str(row.player), row.standing == AttendanceRole.GUEST, row.fee, row.fee <= row.paid and bool(row.fee)
        )
        for row in attendances
    ]
    if lines:
        return lines
    club = evening.season.club
    members = club.memberships.exclude(role=Role.GUEST).select_related("player").order_by("player__work_key", "pk")
    return [CheckInListLine(str(member.player), False, club.fee_member, False) for member in members]


def _members(evening: Evening) -> QuerySet[Membership, Membership]:
    earlier = Attendance.objects.filter(evening__season__club=OuterRef("club"), player=OuterRef("player"))
    last = earlier.exclude(evening=evening).order_by().values("player").annotate(last=Max("evening__date"))
    rows = Membership.objects.filter(club=evening.season.club).select_related("player")
    intentions = Intention.objects.filter(evening=evening, player=OuterRef("player"))
    annotated = rows.annotate(
        last=Subquery(last.values("last")),
        comes=Subquery(intentions.values("comes")),
        announced=Exists(intentions.filter(comes=True)),
    )
    return annotated.order_by("-announced", F("last").desc(nulls_last=True), "player__work_key", "pk")


def _people(evening: Evening, members: QuerySet[Membership, Any]) -> tuple[CheckInPerson, ...]:
    memberships = list(members)
    rows = attendances_with_seats(evening).filter(player__in=[membership.player_id for membership in memberships])
    row_by_player = {row.player_id: row for row in rows}
    people = []
    for membership in memberships:
        row = row_by_player.get(membership.player_id)
        guest = (row.standing if row else membership.role) == AttendanceRole.GUEST
        people.append(CheckInPerson(membership.player, guest, row, membership.comes))
    return tuple(people)
