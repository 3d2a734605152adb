"""How the installation does, for its admins alone; to others the page is not there."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.tables import paged
from players.lights import lights
from players.models import Run
from players.tables import AllRunsTable

PAGE = 25


@login_required
def watch(request: HttpRequest) -> HttpResponse:
    """A light for each thing that can go wrong unseen, and every run."""
    if not request.user.is_superuser:
        raise Http404
    table = AllRunsTable(Run.objects.all())
    paged(table, request, PAGE)
    return render(request, "players/watch.html", {"lights": lights(timezone.now()), "table": table})
