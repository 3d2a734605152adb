from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import season_closing
from league.actions.refusals import StaleVersion, WrongState
from league.evenings.queries.closing_checklist import ChecklistItem
from league.models import Season, SeasonClosing, Standing
from league.models.season import SeasonState
from league.models.standing import rows_digest
from league.seasons.forms.closing import SeasonClosingForm, SeasonReopeningForm
from league.seasons.queries.closing_checklist import season_checklist
from league.seasons.queries.season_evenings import UnreadableRules
from league.standings.podium import PODIUM_RANKS
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403


@login_required
@allow_get_and_post
def close_season(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    if season.state != SeasonState.OPEN and request.method != "POST":
        return redirect(season)
    try:
        rows = season_closing.final_standings(season)
    except UnreadableRules:
        rows = []
    checks = season_checklist(season, rows, now=timezone.now())
    is_open = any(not check.is_done for check in checks) and not any(check.blocks_closing for check in checks)
    data = request.POST if request.method == "POST" else None
    form = SeasonClosingForm(data, has_open_tasks=is_open, digest=rows_digest(rows))
    if form.is_valid():
        try:
            season_closing.close(pk, now=timezone.now(), seen_digest=form.cleaned_data["seen"])
        except WrongState as refusal:
            messages.error(request, str(refusal))
            return redirect("league:season-close", pk) if season.state == SeasonState.OPEN else redirect(season)
        except StaleVersion:
            form = SeasonClosingForm(has_open_tasks=is_open, digest=rows_digest(rows))
            messages.error(
                request, _("The standings have changed meanwhile. Look at them again, then close the season.")
            )
            return _closing_page(request, season, form, rows, checks=checks, status=409)
        else:
            messages.success(request, _("The season is closed. Its standings stay as they are."))
            return redirect(season)
    return _closing_page(request, season, form, rows, checks=checks, status=422 if form.errors else 200)


def _closing_page(
    request: HttpRequest,
    season: Season,
    form: SeasonClosingForm,
    rows: list[Standing],
    *,
    checks: Sequence[ChecklistItem],
    status: int,
) -> HttpResponse:
    first = [row for row in rows if row.rank is not None and row.rank <= PODIUM_RANKS]
    prefetch_related_objects(first, "player")
    context = {
        **club_context(season.club, request.user),
        "season": season,
        "checks": checks,
        "blocked": any(check.blocks_closing for check in checks),
        "form": form,
        "first": sorted(first, key=lambda row: (row.rank, row.player.sort_key)),
    }
    return render(request, "league/evenings/season_close.html", context, status=status)


@login_required
@allow_get_and_post
def reopen_season(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    if season.state != SeasonState.CLOSED and request.method != "POST":
        return redirect(season)
    closing = SeasonClosing.objects.filter(season=season).first()
    form = SeasonReopeningForm(
        request.POST if request.method == "POST" else None, initial={"seen": closing.pk if closing else None}
    )
    if form.is_valid():
        typed = form.cleaned_data
        try:
            season_closing.reopen(pk, reason=typed["reason"], now=timezone.now(), seen_closing_id=typed["seen"])
        except WrongState as refusal:
            messages.error(request, str(refusal))
        except StaleVersion:
            messages.error(request, _("The season was opened and closed again meanwhile."))
        else:
            messages.success(request, _("The season is open again. Members read why on its page."))
        return redirect(season)
    context = {**club_context(season.club, request.user), "season": season, "form": form}
    return render(request, "league/evenings/season_reopen.html", context, status=422 if form.errors else 200)
