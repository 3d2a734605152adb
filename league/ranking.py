"""An evening's ranking, and who won it. Adds up what the seats say; knows no game and no season."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, Subquery, Sum

from league.models import Attendance, Evening, Rest, Round, Seat
from league.models.evening import EveningState, Presence
from league.models.season import Leavers
from league.standings import ranks


class Ranked(NamedTuple):
    """A player's place in an evening: points of all his tables and exempt rounds, and the tables and deals played.

    Who has `left` before the last round is placed after those who stayed, in a season that says so.
    """

    rank: int
    player: int
    name: str
    guest: bool
    points: int
    deals: int
    tables: int
    left: bool = False


class Held(NamedTuple):
    """An evening and those who share its first place; nobody before anything was played."""

    evening: Evening
    winners: tuple[Ranked, ...]


def ranking(evening: Evening) -> list[Ranked]:
    """The evening's ranking, best first; two queries.

    While it is open every table counts as far as it is recorded. Once it is closed only complete ones do, as in the
    season's standings.
    """
    return rankings([evening])[evening.pk]


def rankings(evenings: Iterable[Evening]) -> dict[int, list[Ranked]]:
    """The rankings of several evenings by their ids; two queries, however many they are."""
    ids = [evening.pk for evening in evenings]
    players: dict[int, dict[int, list[_Sums]]] = {pk: defaultdict(list) for pk in ids}
    for sums in [*_at_tables(ids), *_exempt(ids)]:
        players[sums.evening][sums.player].append(sums)
    return {pk: _ranked(list(by_player.values())) for pk, by_player in players.items()}


def held(evenings: Sequence[Evening]) -> list[Held]:
    """Each evening with its winners; two queries."""
    found = rankings(evenings)
    return [
        Held(evening, tuple(place for place in found[evening.pk] if place.rank == 1 and place.tables))
        for evening in evenings
    ]


class _Sums(NamedTuple):
    evening: int
    player: int
    name: str
    guest: bool
    left: bool
    points: int
    deals: int = 0
    tables: int = 0


_BY = ("round__evening", "player", "player__display_name", "guest", "left")


def _at_tables(ids: list[int]) -> list[_Sums]:
    counts = Q(table__complete=True) | ~Q(round__evening__state=EveningState.CLOSED)
    seats = Seat.objects.filter(counts, round__evening__in=ids, table__deals__gt=0).annotate(
        guest=_was_guest(), left=_has_left()
    )
    sums = seats.values(*_BY).annotate(Sum("points"), Sum("deals"), Count("pk")).order_by("player__sort_key")
    return [_Sums(*row) for row in sums.values_list(*_BY, "points__sum", "deals__sum", "pk__count")]


def _exempt(ids: list[int]) -> list[_Sums]:
    rests = Rest.objects.counted().filter(round__evening__in=ids).annotate(guest=_was_guest(), left=_has_left())
    sums = rests.values(*_BY).annotate(Sum("points")).order_by("player__sort_key")
    return [_Sums(*row) for row in sums.values_list(*_BY, "points__sum")]


def _was_guest() -> Q:
    present = Attendance.objects.filter(evening=OuterRef("round__evening"), player=OuterRef("player"))
    return ~Q(Exists(present.filter(standing=Presence.MEMBER)))


def _has_left() -> Exists:
    """Who left before the last round that is or was played, in a season that places him last."""
    last = Round.objects.accepted().filter(evening=OuterRef("evening")).order_by("-number").values("number")[:1]
    present = Attendance.objects.filter(evening=OuterRef("round__evening"), player=OuterRef("player"))
    return Exists(present.filter(evening__season__leavers=Leavers.LAST, to_round__lt=Subquery(last)))


def _ranked(players: list[list[_Sums]]) -> list[Ranked]:
    """Those who stayed, then those who left, each among themselves."""
    stayed = [parts for parts in players if not parts[0].left]
    left = [parts for parts in players if parts[0].left]
    return [*_places(stayed, 0), *_places(left, len(stayed))]


def _places(players: list[list[_Sums]], before: int) -> list[Ranked]:
    totals = [sum(part.points for part in parts) for parts in players]
    places = [
        Ranked(
            rank=before + rank,
            player=parts[0].player,
            name=parts[0].name,
            guest=parts[0].guest,
            points=points,
            deals=sum(part.deals for part in parts),
            tables=sum(part.tables for part in parts),
            left=parts[0].left,
        )
        for rank, points, parts in zip(ranks(totals), totals, players, strict=True)
    ]
    return sorted(places, key=lambda place: place.rank)  # stable: equal ones stay in their names' order
