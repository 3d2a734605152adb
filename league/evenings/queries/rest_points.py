"""The points and deals of rounds that players sat out, by the setting `rest_score` of the season."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Count, Q, Sum

from league.models import Rest, Season, Seat
from league.models.evening import EveningState
from league.models.season import RestScore
from league.sheets.queries.table_sums import Sums
from league.standings.season import rounded_mean


class RoundSums(NamedTuple):
    """A round: its seats at complete tables with deals, the sums of their points and deals, and all its players.

    `incomplete`: whether a table is incomplete that may still count; in a closed evening it counts no more.
    """

    seats: int
    points: int
    deals: int
    incomplete: bool
    players: frozenset[int]


NO_TABLES = RoundSums(0, 0, 0, incomplete=True, players=frozenset())


def rest_sums(rest: Rest, season: Season, of_round: RoundSums) -> Sums:
    """Return the points and deals of a rest: zeros until the round is complete and the catch-up game is entered.

    The deals are the mean of the round's seats. A player who was seated after all has no points of a rest.
    """
    if rest.score == RestScore.NONE:
        return Sums(rest.points, 0)
    if of_round.incomplete or not of_round.seats or rest.player_id in of_round.players or rest.lacks_points:
        return Sums(0, 0)
    deals = max(1, rounded_mean(of_round.deals, of_round.seats))
    if rest.score == RestScore.MEAN:
        return Sums(rounded_mean(of_round.points, of_round.seats), deals)
    return Sums(season.convert_points(rest.written or 0), deals)


def derived_rests(rests: Iterable[Rest]) -> list[tuple[Rest, Sums]]:
    """Return each rest with its points and deals. The rests were fetched with their evening and season."""
    rests = list(rests)
    sums = round_sums({rest.round_id for rest in rests})
    return [(rest, rest_sums(rest, rest.round.evening.season, sums.get(rest.round_id, NO_TABLES))) for rest in rests]


def round_sums(rounds: Collection[int]) -> dict[int, RoundSums]:
    """Return the sums of the rounds by id, without rounds that have no table."""
    counted = Q(table__complete=True, table__deals__gt=0)
    incomplete = Q(table__complete=False) & ~Q(round__evening__state=EveningState.CLOSED)
    rows = Seat.objects.filter(round__in=rounds).order_by().values_list("round")
    players: dict[int, set[int]] = {}
    for round_id, player in rows.values_list("round", "player"):
        players.setdefault(round_id, set()).add(player)
    summed = rows.annotate(
        seats=Count("pk", filter=counted),
        points=Sum("points", filter=counted, default=0),
        deals=Sum("deals", filter=counted, default=0),
        incomplete=Count("pk", filter=incomplete),
    )
    return {
        round_id: RoundSums(seats, points, deals, incomplete > 0, frozenset(players[round_id]))
        for round_id, seats, points, deals, incomplete in summed
    }
