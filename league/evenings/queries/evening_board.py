"""An evening's rounds with their tables, and the cells of its ranking. Adds nothing up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Prefetch, QuerySet

from league.evenings.queries.evening_ranking import Ranked
from league.models import Evening, Rest, Round, Seat, Table
from league.sheets.queries.missing_deals import missing


class TableState(NamedTuple):
    """A table, what it still lacks (empty if it is complete), and its seats."""

    table: Table
    missing: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True, kw_only=True)
class SatRound:
    """A round: its tables, and who rests or is exempt."""

    round: Round
    sheets: tuple[TableState, ...]
    rests: tuple[Rest, ...]


class BoardCell(NamedTuple):
    """What a player did in a round; an uncounted one is of an incomplete table of a closed evening."""

    seat: Seat | None = None
    rest: Rest | None = None
    address: str = ""  # of the seat's sheet
    counts: bool = True


class BoardRow(NamedTuple):
    """A place in the ranking with a cell for each round, as `league.evenings.queries.evening_page` fills them."""

    place: Ranked
    cells: tuple[BoardCell, ...]


def sat_rounds(evening: Evening) -> list[SatRound]:
    """Return the evening's accepted rounds with everyone's place in them; four queries."""
    return [
        SatRound(
            round=each,
            sheets=tuple(
                TableState(table, missing(table, evening.season), tuple(table.seats.all()))
                for table in each.tables.all()
            ),
            rests=tuple(each.rests.all()),
        )
        for each in with_places(evening.rounds.accepted())
    ]


def with_places(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Fetch tables, seats and rests with their players as well; three queries more."""
    rests = Rest.objects.select_related("player")
    return rounds.prefetch_related(Prefetch("tables", Table.objects.with_seats()), Prefetch("rests", rests))


def incomplete(sittings: Sequence[SatRound]) -> list[tuple[Round, TableState]]:
    """Return the sheets that still lack something, each with its round."""
    return [(sitting.round, sheet) for sitting in sittings for sheet in sitting.sheets if sheet.missing]
