"""Reads what counts: the seats of complete tables of closed evenings, and the points of exempt rests."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Sum

from league.models import Attendance, Rest, Season, Seat
from league.models.evening import EveningState, Presence
from league.standings import Place, Result, standings


def season_places(season: Season) -> list[Place]:
    """The season's standings as they follow from the facts."""
    adjustments: dict[int, int] = {}
    for player, points in season.adjustments.values_list("player_id", "points"):
        adjustments[player] = adjustments.get(player, 0) + points
    return standings(season_results(season), adjustments)


def season_results(season: Season) -> Iterator[Result]:
    """What each player brought home from each evening that counts, tables and exempt rounds apart."""
    closed = {"round__evening__season": season, "round__evening__state": EveningState.CLOSED}
    of_evening = ("player_id", "round__evening_id", "round__evening__date", "round__evening__weight")
    members = set(
        Attendance.objects.filter(evening__season=season, standing=Presence.MEMBER).values_list(
            "evening_id", "player_id"
        )
    )
    seats = Seat.objects.filter(table__complete=True, **closed).order_by().values_list(*of_evening)
    rests = Rest.objects.counted().filter(**closed).order_by().values_list(*of_evening)
    sums = [
        *seats.annotate(sum_points=Sum("points"), sum_deals=Sum("deals")),
        *((*row, 0) for row in rests.annotate(sum_points=Sum("points"))),
    ]
    for player, evening, date, weight, points, deals in sums:
        yield Result(
            player=player,
            evening=evening,
            order=(date.isoformat(), evening),
            points=points,
            deals=deals,
            member=(evening, player) in members,
            weight=weight,
        )
