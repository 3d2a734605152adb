"""Pages for adjustments of a season's standings: points that an admin gives or takes, with a reason."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import adjustments as adjustment_actions
from league.actions.refusals import WrongState
from league.models import Season
from league.seasons.forms.seasons import AdjustmentForm
from league.web.action_messages import run_action
from league.web.lookups import managed_or_403


@login_required
def adjustments(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    form = AdjustmentForm(request.POST if request.method == "POST" else None, season=season)
    if form.is_valid():
        player, entered_points = form.cleaned_data["player"], form.cleaned_data["points"]
        try:
            points = season.convert_total(entered_points)
            is_new = adjustment_actions.add_adjustment(
                season.pk, player.pk, points, reason=form.cleaned_data["reason"], now=timezone.now()
            )
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            if is_new:
                messages.success(request, _("It is noted. The standings follow in a minute or two."))
            else:
                messages.info(request, _("The same points are noted already, with this reason: they count once."))
            return redirect("league:adjustments", season.pk)
    context = {
        "club": season.club,
        "can_manage": True,
        "season": season,
        "form": form,
        "adjustments": season.adjustments.select_related("player").order_by("-given_at", "-pk"),
    }
    return render(request, "league/seasons/adjustments.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def remove_adjustment(request: HttpRequest, pk: int, adjustment: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    record = get_object_or_404(season.adjustments.select_related("player"), pk=adjustment)
    message = _("It is taken back. The standings follow in a minute or two.")
    run_action(request, lambda: adjustment_actions.remove_adjustment(record, now=timezone.now()), message)
    return redirect("league:adjustments", season.pk)
