"""An evening's ranking, and who won it. Adds up what the seats say; knows no game and no season."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Count, OuterRef, Q, Subquery, Sum

from league.models import Attendance, Evening, Rest, Round, Seat
from league.models.evening import EveningState, Presence
from league.models.season import Leavers
from league.standings.places import ranks


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


class EveningWinners(NamedTuple):
    """An evening and those who share its first place; nobody before anything was played."""

    evening: Evening
    winners: tuple[Ranked, ...]


def ranking(evening: Evening) -> list[Ranked]:
    """Return the evening's ranking, best first; three queries.

    While it is open every table counts as far as it is recorded. Once it is closed only complete ones do, as in the
    season's standings.
    """
    return rankings([evening])[evening.pk]


def rankings(evenings: Iterable[Evening]) -> dict[int, list[Ranked]]:
    """Return the rankings of several evenings by their ids; three queries, however many they are."""
    ids = [evening.pk for evening in evenings]
    players: dict[int, dict[int, list[_Sums]]] = {pk: defaultdict(list) for pk in ids}
    for sums in [*_at_tables(ids), *_exempt(ids)]:
        players[sums.evening][sums.player].append(sums)
    present = _present(ids)
    return {pk: _ranked(list(by_player.values()), present) for pk, by_player in players.items()}


def held(evenings: Sequence[Evening]) -> list[EveningWinners]:
    """Return each evening with its winners; three queries."""
    found = rankings(evenings)
    return [
        EveningWinners(evening, tuple(place for place in found[evening.pk] if place.rank == 1 and place.tables))
        for evening in evenings
    ]


class _Sums(NamedTuple):
    evening: int
    player: int
    name: str
    points: int
    deals: int = 0
    tables: int = 0


class _Present(NamedTuple):
    """Members by evening, and those placed last because they left before the last round that is or was played."""

    members: set[tuple[int, int]]
    left: set[tuple[int, int]]


_BY = ("round__evening", "player", "player__display_name")


def _at_tables(ids: list[int]) -> list[_Sums]:
    counts = Q(table__complete=True) | ~Q(round__evening__state=EveningState.CLOSED)
    seats = Seat.objects.filter(counts, round__evening__in=ids, table__deals__gt=0)
    sums = seats.values(*_BY).annotate(Sum("points"), Sum("deals"), Count("pk")).order_by("player__sort_key")
    return [_Sums(*row) for row in sums.values_list(*_BY, "points__sum", "deals__sum", "pk__count")]


def _exempt(ids: list[int]) -> list[_Sums]:
    rests = Rest.objects.counted().filter(round__evening__in=ids)
    sums = rests.values(*_BY).annotate(Sum("points")).order_by("player__sort_key")
    return [_Sums(*row) for row in sums.values_list(*_BY, "points__sum")]


def _present(ids: list[int]) -> _Present:
    """Return who was present, by a query of its own.

    Asked seat by seat it would look through everyone who ever came.
    """
    last = Round.objects.accepted().filter(evening=OuterRef("evening")).order_by("-number").values("number")[:1]
    left = Q(evening__season__leavers=Leavers.LAST, to_round__lt=Subquery(last))
    rows = Attendance.objects.filter(evening__in=ids).annotate(left=left).order_by()
    found = list(rows.values_list("evening", "player", "standing", "left"))
    return _Present(
        members={(evening, player) for evening, player, standing, _left in found if standing == Presence.MEMBER},
        left={(evening, player) for evening, player, _standing, left in found if left},
    )


def _ranked(players: list[list[_Sums]], present: _Present) -> list[Ranked]:
    """Return those who stayed, then those who left, each among themselves."""
    stayed = [parts for parts in players if (parts[0].evening, parts[0].player) not in present.left]
    left = [parts for parts in players if (parts[0].evening, parts[0].player) in present.left]
    return [*_places(stayed, 0, present), *_places(left, len(stayed), present)]


def _places(players: list[list[_Sums]], before: int, present: _Present) -> list[Ranked]:
    totals = [sum(part.points for part in parts) for parts in players]
    places = [
        Ranked(
            rank=before + rank,
            player=parts[0].player,
            name=parts[0].name,
            guest=(parts[0].evening, parts[0].player) not in present.members,
            points=points,
            deals=sum(part.deals for part in parts),
            tables=sum(part.tables for part in parts),
            left=(parts[0].evening, parts[0].player) in present.left,
        )
        for rank, points, parts in zip(ranks(totals), totals, players, strict=True)
    ]
    return sorted(places, key=lambda place: place.rank)  # stable: equal ones stay in their names' order
