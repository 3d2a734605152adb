from __future__ import annotations

import tomllib
from typing import Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.models import Run
from league.models.evening import EveningState
from league.operations.work.health import database_answers, health
from league.operations.work.status_checks import all_checks
from league.web.run_tables import AllRunsTable
from league.web.tables import paginate

PAGE = 25
RELEASE: Final[str] = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
NOT_STORED = {"Cache-Control": "no-store"}

# Rank, the rank before, name and points.
SAMPLE = ((1, 2, "Anne Petit", 405), (2, 1, "Élodie Roux", 81), (3, 3, "Bruno Lefèvre", 0), (4, None, "Zoé Roy", -486))

# CSS classes of each sample.
CLASSES = {
    "buttons": "task-bar, btn, state",
    "podium": "podium-stand, medal, initials",
    "board": "board, own, arrow, points",
    "card": "member-card",
    "notices": "alert, empty",
    "links": "link-cards, records",
    "colour": "club-bar, club-accent",
}


@login_required
def status_page(request: HttpRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise Http404
    table = AllRunsTable(Run.objects.all())
    paginate(table, request, PAGE)
    context = {"checks": all_checks(timezone.now()), "release": RELEASE, "table": table}
    return render(request, "league/operations/watch.html", context)


@login_required
@require_safe
def component_gallery(request: HttpRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise Http404
    context = {
        "classes": CLASSES,
        "rows": SAMPLE,
        "history": [1000, 1004, 996, 1008, 1012],
        "minus": -87,
        "deals": 40,
        "states": EveningState.choices,
    }
    return render(request, "league/operations/looks.html", context)


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """For monitoring programs, without login: 200 if no check is red, else 503."""
    report = health(timezone.now())
    status = 200 if report.healthy else 503
    return JsonResponse(report.fields(), status=status, headers=NOT_STORED)


@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """For proxies and containers: 200 if the database answers, so that this process can serve pages."""
    database = database_answers()
    return JsonResponse({"database": database}, status=200 if database else 503, headers=NOT_STORED)
