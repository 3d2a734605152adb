"""An evening's ranking, and who won it. Adds up what the seats say; knows no game and no season."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Count, Func, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONArray

from league.evenings.queries.json_rows import json_rows
from league.models import Attendance, Evening, Rest, Round, Seat
from league.models.evening import EveningQuerySet, EveningState, Presence
from league.models.season import Leavers
from league.standings.season_ranking import shared_ranks
from players.naming import Names


class Ranked(NamedTuple):
    """A player's place in an evening: points of all his tables and exempt rounds, and the tables and deals played.

    A player who `rested` in all rounds has 0 points, as soon as a table of the evening counts. Who has `left` before
    the last round is placed after those who stayed, in a season that says so.
    """

    rank: int
    player: int
    name: Names
    guest: bool
    points: int
    deals: int
    tables: int
    left: bool = False
    rested: bool = False


class EveningWinners(NamedTuple):
    """An evening and its winners."""

    evening: Evening
    winners: tuple[Ranked, ...]


def ranking(evening: Evening) -> list[Ranked]:
    """Return the evening's ranking, best first; one query.

    While it is open every table counts as far as it is recorded. Once it is closed only complete ones do, as in the
    season's standings.
    """
    return rankings([evening])[evening.pk]


def rankings(evenings: Iterable[Evening]) -> dict[int, list[Ranked]]:
    """Return the rankings of several evenings by their ids; one query, however many they are."""
    return rankings_of(evening.pk for evening in evenings)


def rankings_of(ids: Iterable[int]) -> dict[int, list[Ranked]]:
    """Return the rankings of the evenings of these ids; one query, however many they are."""
    rows = Evening.objects.filter(pk__in=ids).order_by().values_list("pk", *_facts().values())
    return {pk: _ranked(_Facts.read(*facts)) for pk, *facts in rows}


def with_ranking(evenings: EveningQuerySet) -> EveningQuerySet:
    """Annotate evenings with what `ranking_in` ranks."""
    return evenings.annotate(**_facts())


def ranking_in(evening: Any) -> list[Ranked]:
    """Return the ranking of an evening that was fetched `with_ranking`, best first."""
    return _ranked(_Facts.read(evening.at_tables, evening.exempt, evening.rested, evening.there))


def held(evenings: Sequence[Evening]) -> list[EveningWinners]:
    """Return each evening with its winners; one query."""
    found = rankings(evenings)
    return [EveningWinners(evening, tuple(winners(found[evening.pk]))) for evening in evenings]


def winners(ranking: Sequence[Ranked]) -> list[Ranked]:
    """Return all who share the first rank, players who were exempt all evening too; nobody before a table counts."""
    if not any(place.tables for place in ranking):
        return []
    return [place for place in ranking if place.rank == 1 and not place.rested]


class _Sums(NamedTuple):
    player: int
    name: Names
    points: int
    deals: int = 0
    tables: int = 0


class _Facts(NamedTuple):
    """What an evening's ranking is made of.

    `members` were there as such; those who `left` before the last round that is or was played are placed last.
    `rested` sat out all rounds and were exempt from none.
    """

    sums: list[_Sums]
    members: set[int]
    left: set[int]
    rested: set[int]

    @classmethod
    def read(cls, at_tables: list[Any], exempt: list[Any], rested: list[Any], there: list[Any]) -> _Facts:
        """Read them from the rows of `_facts`."""
        sums = [_Sums(player, Names(*names), *sums) for player, names, *sums in (*at_tables, *exempt)]
        placed = {each.player for each in sums}
        names_of = {player: Names(*names) for player, names in rested if player not in placed} if at_tables else {}
        return cls(
            sums=[*sums, *(_Sums(player, name, 0) for player, name in names_of.items())],
            members={player for player, standing, _left in there if standing == Presence.MEMBER},
            left={player for player, _standing, left in there if left},
            rested=set(names_of),
        )


_WHO = ("player", "player__names")


def _facts() -> dict[str, Func]:
    """Return an evening's sums and people, by the names that they are annotated by.

    The database looks at each of the evenings by itself.
    """
    return {
        "at_tables": json_rows(_at_tables()),
        "exempt": json_rows(_exempt()),
        "rested": json_rows(_rested()),
        "there": json_rows(_present()),
    }


def _sum(name: str) -> Sum:
    """Return the sum of a column, of which one is wider than the column itself."""
    return Sum(name, output_field=BigIntegerField())


def _at_tables() -> QuerySet[Any, Any]:
    counts = Q(table__complete=True) | ~Q(round__evening__state=EveningState.CLOSED)
    seats = Seat.objects.filter(counts, round__evening=OuterRef("pk"), table__deals__gt=0).values(*_WHO)
    row = JSONArray(*_WHO, _sum("points"), _sum("deals"), Count("pk"))
    found: QuerySet[Any, Any] = seats.annotate(row=row).order_by("player__sort_key")
    return found


def _exempt() -> QuerySet[Any, Any]:
    rests = Rest.objects.counted().filter(round__evening=OuterRef("pk")).values(*_WHO)
    found: QuerySet[Any, Any] = rests.annotate(row=JSONArray(*_WHO, _sum("points"))).order_by("player__sort_key")
    return found


def _rested() -> QuerySet[Any, Any]:
    rests = Rest.objects.all_evening().filter(round__evening=OuterRef("pk"))
    found: QuerySet[Any, Any] = rests.annotate(row=JSONArray(*_WHO)).order_by("player__sort_key")
    return found


def _present() -> QuerySet[Any, Any]:
    last = Round.objects.accepted().filter(evening=OuterRef("evening")).order_by("-number").values("number")[:1]
    left = Q(evening__season__leavers=Leavers.LAST, to_round__lt=Subquery(last))
    rows = Attendance.objects.filter(evening=OuterRef("pk")).order_by()
    return rows.annotate(row=JSONArray("player", "standing", Coalesce(left, False)))


def _ranked(facts: _Facts) -> list[Ranked]:
    """Return those who stayed, then those who left, each among themselves."""
    players: dict[int, list[_Sums]] = defaultdict(list)
    for sums in facts.sums:
        players[sums.player].append(sums)
    stayed = [parts for player, parts in players.items() if player not in facts.left]
    left = [parts for player, parts in players.items() if player in facts.left]
    return [*_places(stayed, 0, facts), *_places(left, len(stayed), facts)]


def _places(players: list[list[_Sums]], before: int, facts: _Facts) -> list[Ranked]:
    totals = [sum(part.points for part in parts) for parts in players]
    places = [
        Ranked(
            rank=before + rank,
            player=parts[0].player,
            name=parts[0].name,
            guest=parts[0].player not in facts.members,
            points=points,
            deals=sum(part.deals for part in parts),
            tables=sum(part.tables for part in parts),
            left=parts[0].player in facts.left,
            rested=parts[0].player in facts.rested,
        )
        for rank, points, parts in zip(shared_ranks(totals), totals, players, strict=True)
    ]
    return sorted(places, key=lambda place: place.rank)  # stable: equal ones stay in their names' order
