"""An evening's rounds with their tables, and its ranking spread over them. Adds nothing up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Prefetch, QuerySet

from league.models import Evening, Rest, Round, Seat, Table
from league.results.evening_ranking import Ranked
from league.results.missing_deals import missing


class Sheet(NamedTuple):
    """A table, what it still lacks (empty if it is complete), and its seats."""

    table: Table
    missing: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """A round: its tables, and who rests or is exempt."""

    round: Round
    sheets: tuple[Sheet, ...]
    rests: tuple[Rest, ...]


class Cell(NamedTuple):
    """What a player did in a round; an uncounted one is of an incomplete table of a closed evening."""

    seat: Seat | None = None
    rest: Rest | None = None
    address: str = ""  # of the seat's sheet
    counts: bool = True


class Row(NamedTuple):
    """A place in the ranking with a cell for each round."""

    place: Ranked
    cells: tuple[Cell, ...]


def sat_rounds(evening: Evening) -> list[Sitting]:
    """The evening's accepted rounds with everyone's place in them; four queries."""
    return [
        Sitting(
            round=each,
            sheets=tuple(
                Sheet(table, missing(table, evening.season), tuple(table.seats.all())) for table in each.tables.all()
            ),
            rests=tuple(each.rests.all()),
        )
        for each in with_places(evening.rounds.accepted())
    ]


def with_places(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Fetch tables, seats and rests with their players as well; three queries more."""
    rests = Rest.objects.select_related("player")
    return rounds.prefetch_related(Prefetch("tables", Table.objects.with_seats()), Prefetch("rests", rests))


def incomplete(sittings: Sequence[Sitting]) -> list[tuple[Round, Sheet]]:
    """The sheets that still lack something, each with its round."""
    return [(sitting.round, sheet) for sitting in sittings for sheet in sitting.sheets if sheet.missing]


def board(places: Sequence[Ranked], sittings: Sequence[Sitting], *, closed: bool) -> list[Row]:
    """The ranking's rows with what each round gave."""
    cells = [_cells(sitting, closed=closed) for sitting in sittings]
    return [Row(place, tuple(by_player.get(place.player, Cell()) for by_player in cells)) for place in places]


def _cells(sitting: Sitting, *, closed: bool) -> dict[int, Cell]:
    at_tables: dict[int, Cell] = {}
    for sheet in sitting.sheets:
        address, counts = sheet.table.get_absolute_url(), sheet.table.complete or not closed
        at_tables |= {seat.player_id: Cell(seat=seat, address=address, counts=counts) for seat in sheet.seats}
    return at_tables | {rest.player_id: Cell(rest=rest) for rest in sitting.rests}
