"""Export of an evening's deals as a spreadsheet. It has the columns of an import, and can be imported again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from league.imports.queries.spreadsheet_cells import Cell
from league.imports.work.deal_list import PLAYER_COLUMN, POINTS_COLUMN, RESTS_COLUMN, cell_meanings, possible_columns
from league.models import Deal, Evening, Seat, Table
from league.seasons.queries.season_game import game_with_season_rules
from league.sheets.queries.deal_scores import is_readable
from scoring.game import Game


def deal_rows(evening: Evening) -> Iterator[list[Cell]]:
    game = game_with_season_rules(evening.season)
    tables = list(Table.objects.in_evenings([evening]).with_seats())
    dealt: dict[int, list[Deal]] = {table.pk: [] for table in tables}
    for deal in Deal.objects.not_voided().filter(table__in=tables).order_by("number").prefetch_related("scores"):
        dealt[deal.table_id].append(deal)
    playing = {table.players_of_deal for table in tables} or set(evening.season.table_sizes)
    columns = possible_columns(game, playing, one_rests=any(table.one_rests for table in tables))
    cells = cell_meanings(game, playing)
    yield [str(meaning.label) for meaning in columns.values()]
    for table in tables:
        for deal in dealt[table.pk]:
            row = _deal_row(game, evening, table, deal, cells)
            yield [row.get(name) for name in columns]


def _deal_row(game: Game, evening: Evening, table: Table, deal: Deal, cells: Mapping[str, str]) -> dict[str, Cell]:
    """Return the cells of a deal's row by column. If the rules no longer accept the deal, it has points only."""
    seats: list[Seat] = list(table.seats.all())
    points = {score.seat_id: score.points for score in deal.scores.all()}
    row: dict[str, Cell] = {
        "day": evening.date.isoformat(),
        "round": table.round.number,
        "table": table.number,
        "deal": deal.number,
    }
    for seat in seats:
        row[f"{PLAYER_COLUMN}.{seat.number + 1}"] = str(seat.player)
        row[f"{POINTS_COLUMN}.{seat.number + 1}"] = points.get(seat.pk)
    if deal.rests:
        row[RESTS_COLUMN] = deal.rests[0] + 1
    if is_readable(table, deal):
        playing = [seat.number + 1 for seat in seats if seat.number not in deal.rests]
        facts: dict[str, Any] = deal.facts
        row |= {cells[name]: text for name, text in game.row.translated_cells(facts, playing, gettext).items()}
    return row
