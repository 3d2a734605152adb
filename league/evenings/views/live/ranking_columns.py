"""The columns of an evening's ranking, for its page and its files.

Plain functions: a watched page is drawn anew for every deal, and django_tables2 takes three times as long.
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

from league.evenings.queries.evening_board import BoardCell, BoardRow
from league.evenings.queries.evening_page import RoundSum
from league.evenings.queries.evening_ranking import Ranked
from league.imports.queries.spreadsheet_cells import Cell
from league.models import Evening
from league.models.season import Leavers
from league.web.marks import medal
from scoring.numbers import points, signed

Drawn: TypeAlias = "SafeString | str | int"


class RankingRow(NamedTuple):
    """A row to draw: the place, what each round gave, and the addresses of the player and of this result of his."""

    place: Ranked
    cells: tuple[BoardCell, ...]
    player: str
    results: str


class RankingColumn(NamedTuple):
    """A column; one that is not drawn is in files only, one that is not written is on the page only."""

    label: str | Promise
    draw: Callable[[RankingRow], Drawn] | None = None
    write: Callable[[Ranked], Cell] | None = None
    css: str = ""


class DrawnRow(NamedTuple):
    """A row for a template: its player, and its cells one after the other."""

    player: int
    cells: SafeString


class DrawnRanking(NamedTuple):
    """A ranking for a template: the page's columns and its rows."""

    columns: list[RankingColumn]
    rows: list[DrawnRow]


def drawn(evening: Evening, rows: Sequence[BoardRow], rounds: Sequence[RoundSum]) -> DrawnRanking:
    """Return the ranking as the page shows it."""
    columns = [(column, column.draw) for column in _columns(evening, rounds) if column.draw]
    return DrawnRanking(
        [column for column, _draw in columns],
        [
            DrawnRow(row.place.player, SafeString("".join(_cell(column, draw(row)) for column, draw in columns)))
            for row in (_addressed(each, evening) for each in rows)
        ],
    )


def written(evening: Evening, places: Sequence[Ranked]) -> list[list[Cell]]:
    """Return the ranking as files have it, its header first."""
    columns = [(column, column.write) for column in _columns(evening) if column.write]
    if any(place.rested for place in places):
        columns.append((RankingColumn(_("Rested")), lambda place: gettext("Rested") if place.rested else ""))
    header: list[Cell] = [str(column.label) for column, _write in columns]
    return [header, *([write(place) for _column, write in columns] for place in places)]


def _cell(column: RankingColumn, shown: Drawn) -> SafeString:
    """Return the cell of a row; the one without a look of its own is its header."""
    if column.css:
        return format_html('<td class="{}">{}</td>', column.css, shown)
    return format_html('<th scope="row">{}</th>', shown)


def _addressed(row: BoardRow, evening: Evening) -> RankingRow:
    player = reverse("league:player", args=[row.place.player])
    return RankingRow(row.place, row.cells, player, f"{player}?season={evening.season_id}#evening-{evening.pk}")


def _columns(evening: Evening, rounds: Sequence[RoundSum] = ()) -> list[RankingColumn]:
    columns = [
        RankingColumn(_("Rank"), lambda row: medal(row.place.rank), lambda place: place.rank, css="rank"),
        RankingColumn(_("Player"), _player, lambda place: str(place.name)),
        RankingColumn(_("Guest"), write=lambda place: gettext("Guest") if place.guest else ""),
        RankingColumn(
            _("Points"),
            lambda row: _link(row.results, points(row.place.points)),
            lambda place: place.points,
            css="num fw-bold",
        ),
        *(RankingColumn(str(each.round), _round(number), css="num more") for number, each in enumerate(rounds)),
        RankingColumn(
            _("Deals"), lambda row: _link(row.results, row.place.deals), lambda place: place.deals, css="num more"
        ),
        RankingColumn(_("Tables"), write=lambda place: place.tables),
    ]
    if evening.season.leavers == Leavers.LAST:
        columns.append(
            RankingColumn(_("Left early"), write=lambda place: gettext("Left early, placed last") if place.left else "")
        )
    return columns


def _link(address: str, shown: Drawn) -> SafeString:
    return format_html('<a href="{}">{}</a>', address, shown)


def _player(row: RankingRow) -> SafeString:
    """The name, with a word for guests and for who left."""
    name = _link(row.player, str(row.place.name))
    if row.place.guest:
        name += format_html(' <span class="badge state">{}</span>', gettext("Guest"))
    if row.place.left:
        name += format_html(' <span class="badge state">{}</span>', gettext("Left early"))
    if row.place.rested:
        name += format_html(' <span class="badge state">{}</span>', gettext("Rested"))
    return name


def _round(number: int) -> Callable[[RankingRow], Drawn]:
    return lambda row: _in_round(row.cells[number])


def _in_round(cell: BoardCell) -> Drawn:
    """Return the points, leading to the sheet that they come from; or how the player rested."""
    if cell.seat:
        link = _link(cell.address, signed(cell.seat.points))
        if cell.counts:
            return link
        aside = gettext("(does not count)")
        return format_html('<span class="dropped">{}</span><span class="visually-hidden">{}</span>', link, aside)
    if cell.rest:
        kind = cell.rest.get_kind_display()
        return format_html("{} {}", signed(cell.rest.points), kind) if cell.rest.points else kind
    return "–"
