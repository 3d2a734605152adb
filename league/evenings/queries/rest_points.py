"""The points and deals of rounds that players sat out, by the setting `rest_score` of the season."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from league.models import Rest, Season, Seat
from league.models.evening import EveningState
from league.models.season import RestScore
from league.sheets.queries.table_sums import Sums
from league.standings.season import rounded_mean


class SeatResult(NamedTuple):
    """A seat: `counts` at a complete table with deals, `may_count` at an incomplete table of an evening not closed."""

    round: int
    player: int
    points: int
    deals: int
    counts: bool
    may_count: bool


class RoundSums(NamedTuple):
    """A round: its seats at complete tables with deals, the sums of their points and deals, and all its players.

    `incomplete`: whether a table is incomplete that may still count; in a closed evening it counts no more.
    """

    seats: int
    points: int
    deals: int
    incomplete: bool
    players: frozenset[int]


CLOSED = EveningState.CLOSED
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
    return {round_id: _round_sums(of_round) for round_id, of_round in rounds.items()}


def _round_sums(seats: Sequence[SeatResult]) -> RoundSums:
    counted = [seat for seat in seats if seat.counts]
    return RoundSums(
        seats=len(counted),
        points=sum(seat.points for seat in counted),
        deals=sum(seat.deals for seat in counted),
        incomplete=any(seat.may_count for seat in seats),
        players=frozenset(seat.player for seat in seats),
    )
