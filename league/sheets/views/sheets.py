from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.models import Evening
from league.sheets.queries.sheet_overview import sheet_overview, with_unreadable
from league.web.finding import frame, recordable


@login_required
def sheets(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    context = {
        **frame(evening.season.club, request.user),
        "evening": evening,
        "rounds": with_unreadable(sheet_overview(evening)),
    }
    return render(request, "league/sheets/sheets.html", context)
