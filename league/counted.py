"""Reads what counts: the seats of complete tables of closed evenings, and the points of exempt rests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Sum

from league.models import Adjustment, Attendance, Rest, Season, Seat
from league.models.evening import EveningState, Presence
from league.standings import Place, Result, standings


def season_places(season: Season) -> list[Place]:
    """The season's standings as they follow from the facts."""
    return places_of([season.pk])[season.pk]


def places_of(seasons: Collection[int]) -> dict[int, list[Place]]:
    """The standings of several seasons by their ids; four queries, however many they are."""
    adjustments: dict[int, dict[int, int]] = {season: defaultdict(int) for season in seasons}
    given = Adjustment.objects.filter(season__in=seasons).order_by()
    for season, player, points in given.values_list("season_id", "player_id", "points"):
        adjustments[season][player] += points
    results = _results(seasons)
    return {season: standings(results[season], adjustments[season]) for season in seasons}


def _results(seasons: Collection[int]) -> dict[int, list[Result]]:
    """What each player brought home from each evening that counts, tables and exempt rounds apart."""
    closed = {"round__evening__season__in": seasons, "round__evening__state": EveningState.CLOSED}
    evening = "round__evening"
    by = (f"{evening}__season_id", "player_id", f"{evening}_id", f"{evening}__date", f"{evening}__weight")
    present = Attendance.objects.filter(evening__season__in=seasons, standing=Presence.MEMBER)
    members = set(present.order_by().values_list("evening_id", "player_id"))
    seats = Seat.objects.filter(table__complete=True, **closed).order_by().values_list(*by)
    rests = Rest.objects.counted().filter(**closed).order_by().values_list(*by)
    sums = [
        *seats.annotate(sum_points=Sum("points"), sum_deals=Sum("deals")),
        *((*row, 0) for row in rests.annotate(sum_points=Sum("points"))),
    ]
    found: dict[int, list[Result]] = {season: [] for season in seasons}
    for season, player, evening_id, date, weight, points, deals in sums:
        found[season].append(
            Result(
                player=player,
                evening=evening_id,
                order=(date.isoformat(), evening_id),
                points=points,
                deals=deals,
                member=(evening_id, player) in members,
                weight=weight,
            )
        )
    return found
