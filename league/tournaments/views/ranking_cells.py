"""HTML of the table cells of a tournament's ranking, one for each round. A template would take five times as long."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.tournaments.queries.ranking import UnitRoundCell
from scoring.numbers import points


def ranking_cells(cells: Sequence[UnitRoundCell | None], *, links_sheets: bool) -> SafeString:
    return SafeString("".join(_cell(cell, links_sheets=links_sheets) for cell in cells))


def _cell(cell: UnitRoundCell | None, *, links_sheets: bool) -> str:
    if cell is None:
        return format_html('<td class="num"><span class="visually-hidden">{}</span></td>', _("not there"))
    if cell.forfeits:
        return format_html('<td class="num">{}</td>', _("absent"))
    if cell.other_forfeits or cell.table is None:
        reason = _("by forfeit") if cell.table else pgettext("tournament", "rests")
        points_text = "" if cell.points is None else points(cell.points)
        return format_html('<td class="num">{} <small>{}</small></td>', points_text, reason)
    if cell.points is None:
        return format_html('<td class="num">…<span class="visually-hidden">{}</span></td>', _("no result yet"))
    if links_sheets:
        address = _sheet_address().replace("/0/", f"/{cell.table}/")
        return format_html('<td class="num"><a href="{}">{}</a></td>', address, points(cell.points))
    return format_html('<td class="num">{}</td>', points(cell.points))


@cache
def _sheet_address() -> str:
    """Return the path of a table's page, with 0 as the id, so that `reverse` is called only once."""
    return reverse("league:table", args=[0])
