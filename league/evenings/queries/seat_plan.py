"""The seat plan, a drawing of the tables of a round: for the draw, a tournament's day and the hall's screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from league.models import Seat, Table


class PlanSeat(NamedTuple):
    """A seat in the seat plan, with the labels beside the player's name."""

    seat: Seat
    unit: str  # label of the player's unit (pair or team) in a tournament, such as "no. 4"; or ""
    names_met_again: str  # names of the players whom this player meets again, or ""


class PlanTable(NamedTuple):
    """A table in the seat plan. `is_decided` is True if the table has a result."""

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
    """Return the tables with their seats, for the seat plan. Fetch the tables by `with_seats()`.

    `meetings` maps a player id to the names of players whom this player meets again. `units` maps a player id to the
    label of the player's unit. `decided` are the ids of tables that have a result.
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
