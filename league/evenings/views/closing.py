from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import evenings
from league.evenings.queries.closing_checklist import checklist
from league.evenings.queries.errata import errata
from league.models import Evening
from league.models.evening import EveningState
from league.web.action_messages import run_action
from league.web.forms import CloseConfirmationForm
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403, visible_or_404


@login_required
@allow_get_and_post
def close_evening(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    if evening.state != EveningState.OPEN:
        return _close_and_redirect(request, evening) if request.method == "POST" else redirect(evening)
    checks = checklist(evening)
    is_open = any(not check.is_done for check in checks)
    form = CloseConfirmationForm(request.POST if request.method == "POST" else None, has_open_tasks=is_open)
    if request.method == "POST" and form.is_valid():
        return _close_and_redirect(request, evening)
    context = {**club_context(evening.season.club, request.user), "evening": evening, "checks": checks, "form": form}
    return render(request, "league/evenings/evening_close.html", context, status=422 if form.errors else 200)


def _close_and_redirect(request: HttpRequest, evening: Evening) -> HttpResponse:
    message = _("The evening is closed. Standings and ratings are being computed.")
    run_action(request, lambda: evenings.close(evening.pk, now=timezone.now()), message)
    return redirect(evening)


def errata_page(request: HttpRequest, pk: int) -> HttpResponse:
    evening = visible_or_404(Evening.objects.with_season(), request.user, pk=pk)
    context = {**club_context(evening.season.club, request.user), "evening": evening, "errata": errata(evening)}
    return render(request, "league/evenings/errata.html", context)
