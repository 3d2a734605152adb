"""Reads what counts: the seats of complete tables of closed evenings, and the points of exempt rests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Any, Final

from django.db.models import BigIntegerField, QuerySet, Sum, Value

from league.models import Adjustment, Attendance, Rest, Season, Seat
from league.models.evening import EveningState, Presence
from league.standings.places import EveningPoints, Place, standings
from players import columns

ARITHMETIC: Final = 1  # the version of the standings' arithmetic: one more with every change of what it answers


def season_places(season: Season) -> list[Place]:
    """Return the season's standings as they follow from the facts."""
    return places_of([season.pk])[season.pk]


def places_of(seasons: Collection[int], until: date | None = None) -> dict[int, list[Place]]:
    """Return the standings of several seasons by their ids; four queries, however many they are.

    With `until`, as of that date: from evenings and adjustments up to it, as they are known today.
    """
    adjustments: dict[int, dict[int, int]] = {season: defaultdict(int) for season in seasons}
    given = Adjustment.objects.filter(season__in=seasons).order_by()
    if until:
        given = given.filter(given_at__date__lte=until)
    for season, player, points in given.values_list("season_id", "player_id", "points"):
        adjustments[season][player] += points
    results = _results(seasons, until)
    return {season: standings(results[season], adjustments[season]) for season in seasons}


def _results(seasons: Collection[int], until: date | None) -> dict[int, list[EveningPoints]]:
    """Return what each player brought home from each evening that counts, tables and exempt rounds apart."""
    asked: dict[str, Any] = {"round__evening__season__in": seasons}
    if until:
        asked["round__evening__date__lte"] = until
    by = [f"round__evening__{name}" for name in ("season_id", "id", "date", "weight")]
    present = Attendance.objects.filter(evening__season__in=seasons, standing=Presence.MEMBER)
    members = set(_rows(present.order_by().values_list("evening_id", "player_id"), ["bigint", "bigint"]))
    seats = Seat.objects.counted().filter(**asked).order_by().values_list("player_id", *by)
    closed = Rest.objects.counted().filter(round__evening__state=EveningState.CLOSED, **asked)
    rests = closed.order_by().values_list("player_id", *by)
    types = ["bigint", "bigint", "bigint", "date", "integer", "bigint", "bigint"]
    found: dict[int, list[EveningPoints]] = {season: [] for season in seasons}
    orders: dict[int, tuple[str, int]] = {}
    for sums in (
        seats.annotate(sum_points=Sum("points"), sum_deals=Sum("deals")),
        rests.annotate(sum_points=Sum("points"), no_deals=Value(0, BigIntegerField())),
    ):
        for player, season, evening, day, weight, points, deals in _rows(sums, types):
            order = orders.get(evening) or orders.setdefault(evening, (day.isoformat(), evening))
            member = (evening, player) in members
            found[season].append(EveningPoints(player, evening, order, points, deals, member, weight))
    return found


def _rows(query: QuerySet[Any, Any], types: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of a query that may have very many."""
    statement, params = query.query.sql_with_params()
    return zip(*(column.tolist() for column in columns.read(statement, params, types)), strict=True)
