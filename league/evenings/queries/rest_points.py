"""Points and deals of rounds that players sat out, by the season's setting `rest_score`."""

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
    """The result of a seat in a round.

    `counts`: its table is complete and has deals; `may_count`: its table is incomplete in an open evening.
    """

    round: int
    player: int
    points: int
    deals: int
    counts: bool
    may_count: bool


class RoundSums(NamedTuple):
    """The sums of points and deals over a round's counted seats, the number of these seats, and the ids of all players.

    `incomplete`: an incomplete table of the round may still count; in a closed evening it cannot.
    """

    seats: int
    points: int
    deals: int
    incomplete: bool
    players: frozenset[int]


CLOSED = EveningState.CLOSED
NO_TABLES = RoundSums(0, 0, 0, incomplete=True, players=frozenset())


def rest_sums(rest: Rest, season: Season, sums_of_round: RoundSums) -> PointsAndDeals:
    """Return points and deals of a rest. Without a rule (`none`) they are its stored points and no deals.

    With a rule both are 0 until the round is complete, for a catch-up game also until its points are entered, and if
    the player got a seat after all. The deals are the mean of the round's seats, at least 1.
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


def rests_with_sums(rests: Iterable[Rest]) -> list[tuple[Rest, PointsAndDeals]]:
    """Return each rest with its points and deals. Fetch the rests with evening and season."""
    rests = list(rests)
    sums = round_sums({rest.round_id for rest in rests})
    return [(rest, rest_sums(rest, rest.round.evening.season, sums.get(rest.round_id, NO_TABLES))) for rest in rests]


def round_sums(rounds: Collection[int]) -> dict[int, RoundSums]:
    """Return the sums by round id; rounds without tables are left out."""
    fields = ("round_id", "player_id", "points", "deals", "table__deals", "table__complete", "round__evening__state")
    return sum_rounds(
        SeatResult(round_id, player, points, deals, complete and of_table > 0, not complete and state != CLOSED)
        for round_id, player, points, deals, of_table, complete, state in Seat.objects.filter(round__in=rounds)
        .order_by()
        .values_list(*fields)
    )


def sum_rounds(seats: Iterable[SeatResult]) -> dict[int, RoundSums]:
    rounds: dict[int, list[SeatResult]] = defaultdict(list)
    for seat in seats:
        rounds[seat.round].append(seat)
    return {round_id: _round_sums(seats_of_round) for round_id, seats_of_round in rounds.items()}


def _round_sums(seats: Sequence[SeatResult]) -> RoundSums:
    counted = [seat for seat in seats if seat.counts]
    return RoundSums(
        seats=len(counted),
        points=sum(seat.points for seat in counted),
        deals=sum(seat.deals for seat in counted),
        incomplete=any(seat.may_count for seat in seats),
        players=frozenset(seat.player for seat in seats),
    )
