"""Points and number of deals for a rest (a round that a player sat out), by the season's setting `rest_score`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from league.models import Rest, Season, Seat
from league.models.evening import EveningState
from league.models.season import RestScore
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.season import rounded_mean


class SeatResult(NamedTuple):
    """The result of a seat in a round. `round` and `player` are ids.

    `counts`: the table is complete and has deals. `may_count`: the table is incomplete and the evening is open.
    """

    round: int
    player: int
    points: int
    deals: int
    counts: bool
    may_count: bool


class RoundSums(NamedTuple):
    """Sums over the counted seats of a round: number of seats, points, deals.

    `players` are the ids of all players with a seat, counted or not. `incomplete` is True if a table of the round is
    incomplete and the evening is open, so that the table may still count.
    """

    seats: int
    points: int
    deals: int
    incomplete: bool
    players: frozenset[int]


SUMS_WITHOUT_TABLES = RoundSums(0, 0, 0, incomplete=True, players=frozenset())


def points_of_rest(rest: Rest, season: Season, sums_of_round: RoundSums) -> PointsAndDeals:
    """Return the points and the number of deals for a rest, which is a round that a player sat out.

    If `rest.score` is NONE, the result is the stored points and 0 deals. By another rule, both are 0 in these cases:
    a table of the round may still count (`incomplete`), no seat counts, the player has a seat in the round, or the
    points of the rest's catch-up game are missing. Otherwise the number of deals is the mean of the counted seats, at
    least 1. The points are the mean of the counted seats, the season's fixed number of points, or the points of the
    catch-up game.
    """
    if rest.score == RestScore.NONE:
        return PointsAndDeals(rest.points, 0)
    if (
        sums_of_round.incomplete
        or not sums_of_round.seats
        or rest.player_id in sums_of_round.players
        or rest.lacks_points
    ):
        return PointsAndDeals(0, 0)
    deals = max(1, rounded_mean(sums_of_round.deals, sums_of_round.seats))
    if rest.score == RestScore.MEAN:
        return PointsAndDeals(rounded_mean(sums_of_round.points, sums_of_round.seats), deals)
    return PointsAndDeals(season.convert_points(rest.written or 0), deals)


def compute_rest_points(rests: Iterable[Rest]) -> list[tuple[Rest, PointsAndDeals]]:
    """Return each rest with its points and number of deals. Fetch the rests with `round__evening__season`."""
    rests = list(rests)
    sums = round_sums({rest.round_id for rest in rests})
    return [
        (rest, points_of_rest(rest, rest.round.evening.season, sums.get(rest.round_id, SUMS_WITHOUT_TABLES)))
        for rest in rests
    ]


def round_sums(rounds: Collection[int]) -> dict[int, RoundSums]:
    """Return {round id: sums}. Rounds without tables are left out."""
    fields = ("round_id", "player_id", "points", "deals", "table__deals", "table__complete", "round__evening__state")
    return sum_rounds(
        SeatResult(
            round_id, player, points, deals, complete and of_table > 0, not complete and state != EveningState.CLOSED
        )
        for round_id, player, points, deals, of_table, complete, state in Seat.objects.filter(round__in=rounds)
        .order_by()
        .values_list(*fields)
    )


def sum_rounds(seats: Iterable[SeatResult]) -> dict[int, RoundSums]:
    """Group the results by round. Return {round id: sums}."""
    rounds: dict[int, list[SeatResult]] = defaultdict(list)
    for seat in seats:
        rounds[seat.round].append(seat)
    return {round_id: _round_sums(seats_of_round) for round_id, seats_of_round in rounds.items()}


def _round_sums(seats: Sequence[SeatResult]) -> RoundSums:
    counted_seats = [seat for seat in seats if seat.counts]
    return RoundSums(
        seats=len(counted_seats),
        points=sum(seat.points for seat in counted_seats),
        deals=sum(seat.deals for seat in counted_seats),
        incomplete=any(seat.may_count for seat in seats),
        players=frozenset(seat.player for seat in seats),
    )
