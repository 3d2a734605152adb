from __future__ import annotations

from typing import Final

from allauth.core.ratelimit import consume
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.models import Run
from league.models.evening import EveningState
from league.operations.queries.installation import installation_settings
from league.operations.work import trial_email
from league.operations.work.backups import schedule
from league.operations.work.health import database_answers, health
from league.operations.work.status_checks import all_checks
from league.web.run_tables import AllRunsTable
from league.web.superusers import superuser_required
from league.web.tables import paginate
from players.models import User

PAGE_ROWS = 25
MAX_ERROR_LENGTH: Final = 300  # characters of a mail server's answer
TOO_MANY_ATTEMPTS: Final = gettext_lazy("You tried this often within an hour. Try again later.")
NO_STORE_HEADERS = {"Cache-Control": "no-store"}

# Rows of the sample table in the gallery of components: rank, previous rank, name, points.
SAMPLE_ROWS = (
    (1, 2, "Anne Petit", 405),
    (2, 1, "Élodie Roux", 81),
    (3, 3, "Bruno Lefèvre", 0),
    (4, None, "Zoé Roy", -486),
)

# The CSS classes that each sample in the gallery of components shows.
CLASSES_BY_SAMPLE = {
    "buttons": "task-bar, btn, state",
    "podium": "podium-stand, medal, initials",
    "board": "board, own, arrow, points",
    "card": "member-card",
    "notices": "alert, empty",
    "links": "link-cards, records",
    "colour": "club-bar, club-accent",
}


@superuser_required
def status_page(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    table = AllRunsTable(Run.objects.all())
    paginate(table, request, PAGE_ROWS)
    context = {
        "checks": all_checks(timezone.now()),
        "installation": installation_settings(),
        "has_second_factor": is_mfa_enabled(request.user),
        "release": settings.RELEASE,
        "table": table,
    }
    return render(request, "league/operations/watch.html", context)


@require_POST
@superuser_required
def send_test_email(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    if not consume(request, action="test_email", user=request.user):
        messages.error(request, TOO_MANY_ATTEMPTS)
    elif error := trial_email.send_test_email(request.user):
        messages.error(request, _("The test e-mail was not sent: %(error)s") % {"error": error[:MAX_ERROR_LENGTH]})
    else:
        messages.success(request, _("A test e-mail was sent to %(address)s.") % {"address": request.user.email})
    return redirect(reverse("league:watch", fragment="settings"))


@require_POST
@superuser_required
def make_and_test_backup(request: HttpRequest) -> HttpResponse:
    if not installation_settings().makes_backups:
        messages.error(request, _("No backups are set up: set BACKUP_FOLDER or BACKUP_COMMAND."))
    elif not consume(request, action="test_backup", user=request.user):
        messages.error(request, TOO_MANY_ATTEMPTS)
    else:
        schedule.enqueue_backup_and_drill(timezone.now())
        messages.success(
            request, _("A backup is made and then tested. “Backup” and “Restore drill” above show the results.")
        )
    return redirect(reverse("league:watch", fragment="settings"))


@superuser_required
@require_safe
def component_gallery(request: HttpRequest) -> HttpResponse:
    context = {
        "classes": CLASSES_BY_SAMPLE,
        "rows": SAMPLE_ROWS,
        "history": [1000, 1004, 996, 1008, 1012],
        "minus": -87,
        "deals": 40,
        "states": EveningState.choices,
    }
    return render(request, "league/operations/looks.html", context)


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Return the state of the installation for monitoring programs, without login: status 200 if healthy, else 503."""
    report = health(timezone.now())
    status = 200 if report.is_healthy else 503
    return JsonResponse(report.as_json(), status=status, headers=NO_STORE_HEADERS)


@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """Return, for proxies and containers, whether pages can be served: 200 if the database answers, else 503."""
    database = database_answers()
    return JsonResponse({"database": database}, status=200 if database else 503, headers=NO_STORE_HEADERS)
