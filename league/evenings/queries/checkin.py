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

MAX_PEOPLE_LISTED = 120  # a search finds the others

# Values of the page's filter.
SHOW_ALL, SHOW_PRESENT, SHOW_ABSENT = "everyone", "there", "absent"


@dataclass(frozen=True)
class CheckInPerson:
    player: Player
    guest: bool
    attendance: Attendance | None  # None if not checked in; annotated with `seated`
    comes: bool | None  # the player's answer to "I come"; None without an answer


@dataclass(frozen=True)
class SearchResult:
    people: tuple[CheckInPerson, ...] = ()  # in the order of `search_people`
    has_more: bool = False
    searched_everyone: bool = False  # no match among the selected people, so all people of the club were searched


@dataclass(frozen=True)
class CashBox:
    """Totals of an evening's check-in: numbers of players, and sums in cents."""

    present_count: int
    guest_count: int
    fee_cents: int
    paid_cents: int
    unpaid_count: int  # players who have paid less than their fee
    owed_cents: int  # the sum that these players still owe


class CheckInListLine(NamedTuple):
    """A line of the printed check-in list. The fee is in cents. `paid` is False if there is no fee."""

    name: str
    guest: bool
    fee: int
    paid: bool


def search_people(evening: Evening, typed: str, show: str) -> SearchResult:
    """Return the people of the club whose name contains the text `typed`, at most MAX_PEOPLE_LISTED.

    `show` is SHOW_ALL, SHOW_PRESENT (checked in) or SHOW_ABSENT. If nobody among the present or the absent people
    matches, all people of the club are searched.

    Players who announced that they come are listed first, then the others by the date of their last earlier evening,
    the latest first. A check-in does not change this order.
    """
    listed = _people_in_list_order(evening).filter(pk__in=Player.objects.search(typed))
    if show == SHOW_PRESENT:
        listed = listed.filter(pk__in=evening.attendances.values("player"))
    elif show == SHOW_ABSENT:
        listed = listed.exclude(pk__in=evening.attendances.values("player"))
    people = _check_in_people(evening, listed[: MAX_PEOPLE_LISTED + 1])
    if not people and typed and show in (SHOW_PRESENT, SHOW_ABSENT):
        return replace(search_people(evening, typed, SHOW_ALL), searched_everyone=True)
    return SearchResult(people[:MAX_PEOPLE_LISTED], len(people) > MAX_PEOPLE_LISTED)


def find_check_in_person(evening: Evening, player_id: int) -> CheckInPerson | None:
    """Return one person for the check-in list; None for a player who is neither in the club nor checked in."""
    people = _check_in_people(evening, _people_in_list_order(evening).filter(pk=player_id)[:1])
    return people[0] if people else None


def cash_box(evening: Evening) -> CashBox:
    owing = Q(paid__lt=F("fee"))
    sums = evening.attendances.aggregate(
        sum_present_count=Count("pk"),
        sum_guest_count=Count("pk", filter=Q(standing=AttendanceRole.GUEST)),
        sum_fee_cents=Coalesce(Sum("fee"), 0),
        sum_paid_cents=Coalesce(Sum("paid"), 0),
        sum_unpaid_count=Count("pk", filter=owing),
        sum_owed_cents=Coalesce(Sum(F("fee") - F("paid"), filter=owing), 0),
    )
    return CashBox(**{name.removeprefix("sum_"): number for name, number in sums.items()})


def annotated_attendances(evening: Evening) -> QuerySet[Attendance, Attendance]:
    """Return the evening's attendances, annotated with `seated`: True if the player has a seat at a table."""
    seats = Seat.objects.filter(round__evening=evening, round__state=RoundState.ACCEPTED, player=OuterRef("player"))
    rows: QuerySet[Attendance, Attendance] = evening.attendances.select_related("player", "partner")
    return rows.annotate(seated=Exists(seats))


def check_in_list_lines(evening: Evening) -> list[CheckInListLine]:
    """Return the lines of the printed check-in list: one per attendance, sorted by name.

    Before the first check-in the list shows the club's members with the usual fee.
    """
    attendances = evening.attendances.select_related("player").order_by("player__committee_key", "pk")
    lines = [
        CheckInListLine(
            str(row.player), row.standing == AttendanceRole.GUEST, row.fee, row.fee <= row.paid and bool(row.fee)
        )
        for row in attendances
    ]
    if lines:
        return lines
    club = evening.season.club
    members = club.memberships.exclude(role=Role.GUEST).select_related("player").order_by("player__committee_key", "pk")
    return [CheckInListLine(str(member.player), False, club.fee_member, False) for member in members]


def _people_in_list_order(evening: Evening) -> QuerySet[Player, Player]:
    """Return the club's people, and people who are checked in although they have left the club since.

    They are in the order of `search_people`, annotated with `role` and with `comes`, the answer to "I come".
    """
    club = evening.season.club
    memberships = Membership.objects.filter(club=club).order_by()
    earlier = Attendance.objects.filter(evening__season__club=club, player=OuterRef("pk")).exclude(evening=evening)
    last = earlier.order_by().values("player").annotate(last=Max("evening__date"))
    intentions = Intention.objects.filter(evening=evening, player=OuterRef("pk"))
    listed = memberships.values("player").union(evening.attendances.order_by().values("player"))
    annotated = Player.objects.filter(pk__in=listed).annotate(
        role=Subquery(memberships.filter(player=OuterRef("pk")).values("role")),
        last_date=Subquery(last.values("last")),
        comes=Subquery(intentions.values("comes")),
        announced=Exists(intentions.filter(comes=True)),
    )
    return annotated.order_by("-announced", F("last_date").desc(nulls_last=True), "committee_key", "pk")


def _check_in_people(evening: Evening, listed: QuerySet[Player, Any]) -> tuple[CheckInPerson, ...]:
    players = list(listed)
    attendances = annotated_attendances(evening).filter(player__in=[player.pk for player in players])
    attendance_by_player = {attendance.player_id: attendance for attendance in attendances}
    people = []
    for player in players:
        attendance = attendance_by_player.get(player.pk)
        guest = (attendance.standing if attendance else player.role) == AttendanceRole.GUEST
        people.append(CheckInPerson(player, guest, attendance, player.comes))
    return tuple(people)
