"""Who may be at an evening and who is: the check-in's list, also on paper, and what the cash box should hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from league.models import Attendance, Evening, Intention, Membership, Seat
from league.models.evening import Presence
from league.models.rights import Role
from league.models.round import RoundState
from players.models import Player

SHOWN = 120  # at most so many people at once: more are found by typing

EVERYONE, THERE, ABSENT = "everyone", "there", "absent"


@dataclass(frozen=True)
class CheckInPerson:
    """Someone of the club on the list; `row` is his attendance if he is there, with `seated`.

    `comes` is what he said beforehand, None if nothing.
    """

    player: Player
    guest: bool
    row: Attendance | None
    comes: bool | None


@dataclass(frozen=True)
class Found:
    """What a search shows: people, those seen last first, and whether there are more.

    `widened`: the name is nobody's of those that were to be shown, so that everyone of the club was searched.
    """

    people: tuple[CheckInPerson, ...] = ()
    more: bool = False
    widened: bool = False


@dataclass(frozen=True)
class Box:
    """The evening's people and its cash, in cents: fees due in all and those paid."""

    there: int
    guests: int
    due: int
    paid: int
    unpaid: int  # how many have not paid all of it
    owed: int  # cents still to come from these


class AttendanceLine(NamedTuple):
    """Someone to tick: name, whether a guest, the fee in cents, and whether it is paid."""

    name: str
    guest: bool
    fee: int
    paid: bool


def find(evening: Evening, typed: str, show: str) -> Found:
    """Return the club's people whom the typed words find; two queries, one more where it is nobody.

    Those who said that they come are first, then the order is by the last evening of the club before this one: marking
    someone moves nobody.
    """
    members = _members(evening).filter(player__in=Player.objects.search(typed))
    if show == THERE:
        members = members.filter(player__in=evening.attendances.values("player"))
    elif show == ABSENT:
        members = members.exclude(player__in=evening.attendances.values("player"))
    people = _people(evening, members[: SHOWN + 1])
    if not people and typed and show in (THERE, ABSENT):
        return replace(find(evening, typed, EVERYONE), widened=True)
    return Found(people[:SHOWN], len(people) > SHOWN)


def one(evening: Evening, player_id: int) -> CheckInPerson:
    """Return one of them; two queries."""
    [person] = _people(evening, _members(evening).filter(player=player_id)[:1])
    return person


def box(evening: Evening) -> Box:
    """Return the evening's people and cash; one query."""
    owing = Q(paid__lt=F("fee"))
    sums = evening.attendances.aggregate(
        sum_there=Count("pk"),
        sum_guests=Count("pk", filter=Q(standing=Presence.GUEST)),
        sum_due=Coalesce(Sum("fee"), 0),
        sum_paid=Coalesce(Sum("paid"), 0),
        sum_unpaid=Count("pk", filter=owing),
        sum_owed=Coalesce(Sum(F("fee") - F("paid"), filter=owing), 0),
    )
    return Box(**{name.removeprefix("sum_"): number for name, number in sums.items()})


def attendances(evening: Evening) -> QuerySet[Attendance, Attendance]:
    """Return who is there, each with whether he is `seated` in a round that is or was played."""
    seats = Seat.objects.filter(round__evening=evening, round__state=RoundState.ACCEPTED, player=OuterRef("player"))
    rows: QuerySet[Attendance, Attendance] = evening.attendances.select_related("player", "partner")
    return rows.annotate(seated=Exists(seats))


def printed_lines(evening: Evening) -> list[AttendanceLine]:
    """Return who is there, by name; before anyone is, the club's people with what they would pay. One query, or two."""
    there = evening.attendances.select_related("player").order_by("player__work_key", "pk")
    found = [
        AttendanceLine(str(row.player), row.standing == Presence.GUEST, row.fee, row.fee <= row.paid and bool(row.fee))
        for row in there
    ]
    if found:
        return found
    club = evening.season.club
    members = club.memberships.exclude(role=Role.GUEST).select_related("player").order_by("player__work_key", "pk")
    return [AttendanceLine(str(member.player), False, club.fee_member, False) for member in members]


def _members(evening: Evening) -> QuerySet[Membership, Membership]:
    earlier = Attendance.objects.filter(evening__season__club=OuterRef("club"), player=OuterRef("player"))
    last = earlier.exclude(evening=evening).order_by().values("player").annotate(last=Max("evening__date"))
    rows = Membership.objects.filter(club=evening.season.club).select_related("player")
    said = Intention.objects.filter(evening=evening, player=OuterRef("player"))
    seen_last = rows.annotate(
        last=Subquery(last.values("last")),
        comes=Subquery(said.values("comes")),
        announced=Exists(said.filter(comes=True)),
    )
    return seen_last.order_by("-announced", F("last").desc(nulls_last=True), "player__work_key", "pk")


def _people(evening: Evening, members: QuerySet[Membership, Any]) -> tuple[CheckInPerson, ...]:
    found = list(members)
    there = {row.player_id: row for row in attendances(evening).filter(player__in=[each.player_id for each in found])}
    return tuple(
        CheckInPerson(each.player, _is_guest(each, there.get(each.player_id)), there.get(each.player_id), each.comes)
        for each in found
    )


def _is_guest(member: Membership, row: Attendance | None) -> bool:
    return (row.standing if row else member.role) == Presence.GUEST
