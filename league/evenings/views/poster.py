"""The draw of a round as a poster for the wall."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse

from league.models import Round
from league.seasons.queries.season_game import game_of_season
from league.web.lookups import recordable_or_403
from league.web.printing import render_for_paper

MAX_NAMES_ON_ONE_PAGE = 16  # with more names, the tables begin a new page
MIN_NAMES_FOR_THREE_COLUMNS = 48  # from this number of names on, the tables are in three columns


@login_required
def poster(request: HttpRequest, pk: int) -> HttpResponse:
    round_ = recordable_or_403(Round.objects.with_evening(), request.user, pk=pk)
    tables = list(round_.tables.with_seats())
    seats = [(seat.player, table, seat.number + 1) for table in tables for seat in table.seats.all()]
    rests = [(rest.player, rest) for rest in round_.rests.select_related("player")]

    def context() -> dict[str, Any]:
        return {
            "evening": round_.evening,
            "round": round_,
            "pairs": game_of_season(round_.evening.season).has_pairs,
            "tables": tables,
            "seats": sorted(seats, key=lambda row: row[0].sort_key),
            "rests": sorted(rests, key=lambda row: row[0].sort_key),
            "few": len(seats) + len(rests) <= MAX_NAMES_ON_ONE_PAGE,
            "many": len(seats) >= MIN_NAMES_FOR_THREE_COLUMNS,
        }

    return render_for_paper(request, round_.evening.season.club, "league/evenings/poster.html", context, in_hall=True)
