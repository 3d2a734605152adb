"""The totals of tables and seats, computed from the scores of deals, or from totals that were entered without deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, Sum

from league.models import Score, Season, Seat, Table
from league.sheets.queries.deal_scores import counted_deals
from league.sheets.queries.table_end import is_complete
from scoring import registry
from scoring.rules.errors import IllegalDeal


class PointsAndDeals(NamedTuple):
    """A seat's points and number of deals."""

    points: int
    deals: int


def compute_seat_sums(
    seat: Seat, scored: Mapping[int, PointsAndDeals], recorded: int, season: Season
) -> PointsAndDeals:
    """Return a seat's points and number of deals. `recorded` is the table's number of recorded deals.

    If there is a recorded deal, return the seat's sums in `scored` (by seat id). Otherwise return the total that was
    entered for the seat, or 0. If the lowest total wins the game, the points are minus this total.
    """
    if recorded:
        return scored.get(seat.pk, PointsAndDeals(0, 0))
    return PointsAndDeals(season.convert_points(seat.written or 0), seat.written_deals or 0)


def has_playable_seats(table: Table, seats: Sequence[Seat]) -> bool:
    """Return whether the game allows the table's size and seats. An import or a repair may have stored others.

    Fetch the table with its season.
    """
    rules = registry.rules(table.round.evening.season.game)
    try:
        rules.check_seats(table.size)
        rules.check_seats(table.players_of_deal)
    except IllegalDeal:
        return False
    return sorted(seat.number for seat in seats) == list(range(table.size))


def compute_table_state(table: Table, seats: Sequence[Seat], recorded: int) -> tuple[int, int, bool]:
    """Return (number of recorded deals, number of deals, whether the table is complete).

    `recorded` is the number of recorded deals. If it is 0, the number of deals is computed from the seats' numbers of
    deals, which were entered with the totals. A table of a size that its game does not allow is never complete, so its
    results count nowhere.
    """
    season = table.round.evening.season
    rules = registry.rules(season.game)
    deals = recorded or -(-sum(seat.deals for seat in seats) // table.players_of_deal)
    if not has_playable_seats(table, seats):
        return recorded, deals, False
    complete = is_complete(
        season.end,
        season.end_number,
        one_player_rests=table.one_rests,
        deals=recorded,
        points=[seat.points for seat in seats],
        sides=rules.sides(table.size, rules.read_options(table.round.evening.house_rules)),
        by_totals=not recorded and all(seat.written is not None for seat in seats),
        finished=table.finished,
        counted_deals=counted_deals(table, season, recorded),
    )
    return recorded, deals, complete


def score_sums(table: Table) -> tuple[dict[int, PointsAndDeals], int]:
    """Return the sums of the table's scores by seat id, and its number of recorded deals."""
    by_seat = {
        seat: PointsAndDeals(points, deals)
        for seat, points, deals in Score.objects.filter(deal__table=table)
        .order_by()
        .values_list("seat")
        .annotate(points=Sum("points"), deals=Count("pk"))
    }
    return by_seat, sum(sums.deals for sums in by_seat.values()) // table.players_of_deal
