"""The tables of a round as a map: for the draw, a tournament's day and the hall's screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from league.models import Seat, Table


class PlanSeat(NamedTuple):
    seat: Seat
    unit: str  # of a tournament, as "no. 4"; or ""
    again: str  # whom the player meets again, or ""


class PlanTable(NamedTuple):
    table: Table
    seats: Sequence[PlanSeat]
    is_decided: bool


def seat_plan(
    tables: Iterable[Table],
    meetings: Mapping[int, Sequence[str]] | None = None,
    *,
    units: Mapping[int, str] | None = None,
    decided: Collection[int] = (),
) -> list[PlanTable]:
    """Return the tables with their seats, which are fetched (`with_seats`).

    By player, `meetings` are names that the player meets again, and `units` the labels of units. `decided` are ids of
    tables that have their result.
    """
    meetings, units = meetings or {}, units or {}
    return [
        PlanTable(
            table,
            [
                PlanSeat(seat, units.get(seat.player_id, ""), ", ".join(meetings.get(seat.player_id, ())))
                for seat in table.seats.all()
            ],
            table.pk in decided,
        )
        for table in tables
    ]
