"""Score sheets for the printer: a round's, with names and codes, and blank ones."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from league.models import Evening, Round, Season, Table, table_codes
from league.sheets.views.printed_sheets import blank, filled
from league.web.finding import recordable
from league.web.printing import on_paper
from scoring.game import find_game


@login_required
def round_sheets(request: HttpRequest, pk: int) -> HttpResponse:
    """A page for each of the round's tables."""
    round_ = recordable(Round.objects.with_evening(), request.user, pk=pk)
    evening: Evening = round_.evening
    tables = list(round_.tables.with_seats())
    for table in tables:
        table.round = round_  # with its evening, whose key signs the code

    def address(table: Table) -> str:
        return request.build_absolute_uri(reverse("league:at-table", args=[table_codes.token(table)]))

    def context() -> dict[str, Any]:
        return {
            "season": evening.season,
            "evening": evening,
            "round": round_,
            "game": find_game(evening.season.game),
            "papers": filled(tables, evening.season, address if table_codes.is_printed(evening) else None),
        }

    return on_paper(request, evening.season.club, "league/sheets/printed_sheets.html", context, in_hall=True)


@login_required
def blank_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """An empty sheet for a table of `?size=` seats: one of the season's sizes."""
    season = recordable(Season.objects.with_club(), request.user, pk=pk)
    sizes = sorted(season.table_sizes)
    asked = request.GET.get("size", "")
    size = next((each for each in sizes if str(each) == asked), sizes[0])

    def context() -> dict[str, Any]:
        return {
            "season": season,
            "game": find_game(season.game),
            "papers": [blank(season, size)],
            "sizes": sizes,
            "size": size,
        }

    return on_paper(request, season.club, "league/sheets/printed_sheets.html", context)
