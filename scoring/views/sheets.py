"""The desk's view of an evening: its sheets as they come in, and what was corrected after it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.models import Evening
from league.views.finding import frame, recordable, seen
from scoring.errata import errata
from scoring.queue import queue


@login_required
def sheets(request: HttpRequest, pk: int) -> HttpResponse:
    """Each round's sheets: missing, started, complete, and which of them somebody should look at."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    context = {**frame(evening.season.club, request.user), "evening": evening, "piles": queue(evening)}
    return render(request, "scoring/sheets.html", context)


def corrected(request: HttpRequest, pk: int) -> HttpResponse:
    """The errata of an evening, for everyone who may read its results."""
    evening = seen(Evening.objects.with_season(), request.user, pk=pk)
    context = {**frame(evening.season.club, request.user), "evening": evening, "errata": errata(evening)}
    return render(request, "scoring/errata.html", context)
