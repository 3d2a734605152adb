from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Prefetch, QuerySet

from league.evenings.queries.evening_ranking import RankingRow
from league.models import Evening, Rest, Round, Seat, Table
from league.sheets.queries.missing_deals import missing_text


class TableWithSeats(NamedTuple):
    """A table with its seats. `missing_text` is the reason why the table is incomplete, or ""."""

    table: Table
    missing_text: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True, kw_only=True)
class PlayedRound:
    """An accepted round with its tables, and the rests of the players who sit the round out."""

    round: Round
    tables_with_seats: tuple[TableWithSeats, ...]
    rests: tuple[Rest, ...]


class PlayerRoundCell(NamedTuple):
    """A player's result in one round, for a cell of the ranking. It comes from a seat or from a rest.

    `seat` and `rest` are None if the player was absent. `counts` is False if the table is incomplete and the evening is
    closed.
    """

    seat: Seat | None = None
    rest: Rest | None = None
    points: int = 0  # with the sign of the score sheet
    address: str = ""  # URL of the table's score sheet
    counts: bool = True


class RankingRowWithRounds(NamedTuple):
    """A row of the ranking with one cell per round."""

    ranking_row: RankingRow
    cells: tuple[PlayerRoundCell, ...]


def played_rounds(evening: Evening) -> list[PlayedRound]:
    return [
        PlayedRound(
            round=round_,
            tables_with_seats=tuple(
                TableWithSeats(table, missing_text(table, evening.season), tuple(table.seats.all()))
                for table in round_.tables.all()
            ),
            rests=tuple(round_.rests.all()),
        )
        for round_ in with_tables_and_rests(evening.rounds.accepted())
    ]


def with_tables_and_rests(rounds: QuerySet[Round]) -> QuerySet[Round]:
    rests = Rest.objects.select_related("player")
    return rounds.prefetch_related(Prefetch("tables", Table.objects.with_seats()), Prefetch("rests", rests))


def incomplete_tables(rounds: Sequence[PlayedRound]) -> list[tuple[Round, TableWithSeats]]:
    return [
        (played_round.round, sheet)
        for played_round in rounds
        for sheet in played_round.tables_with_seats
        if sheet.missing_text
    ]
