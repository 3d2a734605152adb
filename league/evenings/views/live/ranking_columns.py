"""The columns of an evening's ranking, for its page and its files.

Plain functions make the cells, because a live page is rendered after every deal, and django_tables2 takes three times
as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.evenings.queries.evening_page import RoundSummary
from league.evenings.queries.evening_ranking import RankingRow
from league.evenings.queries.played_rounds import PlayerRoundCell, RankingRowWithRounds
from league.imports.queries.spreadsheet_cells import Cell
from league.models import Evening
from league.models.season import EarlyLeaverRanking
from league.web.charts import PlayerRoundBars, round_bars
from league.web.marks import medal, round_bars_svg
from scoring.numbers import points, signed_points

CellContent: TypeAlias = "SafeString | str | int"


class LinkedRankingRow(NamedTuple):
    """A row of the ranking with the URLs of the player's page and of the player's results in the evening, and a bar for
    each round.
    """

    ranking_row: RankingRow
    cells: tuple[PlayerRoundCell, ...]
    player_url: str
    results_url: str
    bars: PlayerRoundBars


class RankingColumn(NamedTuple):
    """A column of an evening's ranking.

    `page_cell` returns the cell for the page; None: the column is in files only. `file_cell` returns the cell for
    files; None: the column is on the page only.
    """

    label: str | Promise
    page_cell: Callable[[LinkedRankingRow], CellContent] | None = None
    file_cell: Callable[[RankingRow], Cell] | None = None
    css: str = ""


class RenderedRow(NamedTuple):
    player: int
    cells: SafeString


class RenderedRanking(NamedTuple):
    columns: list[RankingColumn]
    rows: list[RenderedRow]


def render_ranking(
    evening: Evening, rows: Sequence[RankingRowWithRounds], rounds: Sequence[RoundSummary]
) -> RenderedRanking:
    """Return the ranking for the page: its columns, and the HTML of the cells of each row."""
    columns = [(column, column.page_cell) for column in _columns(evening, rounds) if column.page_cell]
    all_bars = round_bars([[cell.points if cell.counts else None for cell in row.cells] for row in rows])
    return RenderedRanking(
        [column for column, _draw in columns],
        [
            RenderedRow(
                row.ranking_row.player,
                SafeString("".join(_cell(column, page_cell(row)) for column, page_cell in columns)),
            )
            for row in (_with_links(line, bars, evening) for line, bars in zip(rows, all_bars, strict=True))
        ],
    )


def ranking_cells(evening: Evening, rows: Sequence[RankingRow]) -> list[list[Cell]]:
    """Return the ranking for files, as rows of cells. The first row is the header."""
    columns = [(column, column.file_cell) for column in _columns(evening) if column.file_cell]
    if any(row.rested for row in rows):
        columns.append((RankingColumn(_("Rested")), lambda row: gettext("Rested") if row.rested else ""))
    header: list[Cell] = [str(column.label) for column, _write in columns]
    return [header, *([file_cell(row) for _column, file_cell in columns] for row in rows)]


def _cell(column: RankingColumn, content: CellContent) -> SafeString:
    if column.css:
        return format_html('<td class="{}">{}</td>', column.css, content)
    return format_html('<th scope="row">{}</th>', content)


def _with_links(line: RankingRowWithRounds, bars: PlayerRoundBars, evening: Evening) -> LinkedRankingRow:
    player = reverse("league:player", args=[line.ranking_row.player])
    return LinkedRankingRow(
        line.ranking_row, line.cells, player, f"{player}?season={evening.season_id}#evening-{evening.pk}", bars
    )


def _columns(evening: Evening, rounds: Sequence[RoundSummary] = ()) -> list[RankingColumn]:
    columns = [
        RankingColumn(_("Rank"), lambda line: medal(line.ranking_row.rank), lambda row: row.rank, css="rank"),
        RankingColumn(_("Player"), _player, lambda row: str(row.name)),
        *(
            [RankingColumn(_("By round"), lambda line: round_bars_svg(line.bars), css="by-round")]
            if len(rounds) > 1
            else []
        ),
        RankingColumn(_("Guest"), file_cell=lambda row: gettext("Guest") if row.guest else ""),
        RankingColumn(
            _("Points"),
            lambda line: _link(line.results_url, points(line.ranking_row.points)),
            lambda row: row.points,
            css="num fw-bold",
        ),
        *(
            RankingColumn(str(summary.round), _round_cell(index), css="num more")
            for index, summary in enumerate(rounds)
        ),
        RankingColumn(
            _("Deals"),
            lambda line: _link(line.results_url, line.ranking_row.deals),
            lambda row: row.deals,
            css="num more",
        ),
        RankingColumn(_("Tables"), file_cell=lambda row: row.tables),
    ]
    if evening.season.leavers == EarlyLeaverRanking.LAST:
        columns.append(
            RankingColumn(
                _("Left early"), file_cell=lambda row: gettext("Left early, placed last") if row.left_early else ""
            )
        )
    return columns


def _link(address: str, content: CellContent) -> SafeString:
    return format_html('<a href="{}">{}</a>', address, content)


def _player(line: LinkedRankingRow) -> SafeString:
    name = _link(line.player_url, str(line.ranking_row.name))
    if line.ranking_row.guest:
        name += format_html(' <span class="badge state">{}</span>', gettext("Guest"))
    if line.ranking_row.left_early:
        name += format_html(' <span class="badge state">{}</span>', gettext("Left early"))
    if line.ranking_row.rested:
        name += format_html(' <span class="badge state">{}</span>', gettext("Rested"))
    return name


def _round_cell(number: int) -> Callable[[LinkedRankingRow], CellContent]:
    return lambda line: _round_result(line.cells[number])


def _round_result(cell: PlayerRoundCell) -> CellContent:
    if cell.seat:
        link = _link(cell.address, signed_points(cell.points))
        if cell.counts:
            return link
        note = gettext("(does not count)")
        return format_html('<span class="dropped">{}</span><span class="visually-hidden">{}</span>', link, note)
    if cell.rest:
        kind = cell.rest.get_kind_display()
        return format_html("{} {}", signed_points(cell.points), kind) if cell.points or cell.rest.deals else kind
    return "–"
