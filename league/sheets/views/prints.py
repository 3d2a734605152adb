"""Score sheets for the printer: the sheets of a round, with names and QR codes, and blank sheets."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from league.models import Evening, Round, Season, Table, table_codes
from league.seasons.queries.season_game import game_of_season
from league.sheets.views import printed_sheets
from league.web.lookups import recordable_or_403
from league.web.printing import render_for_paper


@login_required
def round_sheets(request: HttpRequest, pk: int) -> HttpResponse:
    round_ = recordable_or_403(Round.objects.with_evening(), request.user, pk=pk)
    evening: Evening = round_.evening
    tables = list(round_.tables.with_seats())
    for table in tables:
        table.round = round_  # the evening's key signs the code

    def address(table: Table) -> str:
        return request.build_absolute_uri(reverse("league:at-table", args=[table_codes.code_of_table(table)]))

    def context() -> dict[str, Any]:
        return {
            "season": evening.season,
            "evening": evening,
            "round": round_,
            "game": game_of_season(evening.season),
            "papers": printed_sheets.sheets_of_tables(
                tables, evening.season, address if table_codes.are_codes_printed(evening) else None
            ),
        }

    return render_for_paper(request, evening.season.club, "league/sheets/printed_sheets.html", context, in_hall=True)


@login_required
def blank_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    season = recordable_or_403(Season.objects.with_club(), request.user, pk=pk)
    sizes = sorted(season.table_sizes)
    typed_size = request.GET.get("size", "")
    size = next((season_size for season_size in sizes if str(season_size) == typed_size), sizes[0])

    def context() -> dict[str, Any]:
        return {
            "season": season,
            "game": game_of_season(season),
            "papers": [printed_sheets.blank_sheet(season, size)],
            "sizes": sizes,
            "size": size,
        }

    return render_for_paper(request, season.club, "league/sheets/printed_sheets.html", context)
