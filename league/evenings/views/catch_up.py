from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import evenings, rests
from league.actions.refusals import WrongState
from league.evenings.forms.catch_up import CatchUpForm
from league.models import Round
from league.models.evening import EveningState
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403


@login_required
@allow_get_and_post
def catch_up(request: HttpRequest, pk: int) -> HttpResponse:
    """Enter the points of the catch-up games of a round.

    In a catch-up game, a player who sat out the round plays at a table that finished early.
    """
    round_ = recordable_or_403(Round.objects.with_evening(), request.user, pk=pk)
    if request.method == "POST":
        with evenings.lock_evening(round_.evening_id):
            form = _catch_up_form(request, round_)
            if form.is_valid() and _record_points(form, pk):
                messages.success(request, _("The points are saved."))
                return redirect(round_.evening)
    else:
        form = _catch_up_form(request, round_)
    context = {
        **club_context(round_.evening.season.club, request.user),
        "evening": round_.evening,
        "round": round_,
        "form": form,
    }
    return render(request, "league/evenings/catch_up.html", context, status=422 if form.errors else 200)


def _catch_up_form(request: HttpRequest, round_: Round) -> CatchUpForm:
    rows = list(round_.rests.catch_up().select_related("player").order_by("player__committee_key", "pk"))
    is_closed = round_.evening.state == EveningState.CLOSED
    return CatchUpForm(request.POST if request.method == "POST" else None, rests=rows, asks_reason=is_closed)


def _record_points(form: CatchUpForm, round_id: int) -> bool:
    try:
        rests.record_catch_up(
            round_id, form.changed_points, now=timezone.now(), reason=form.cleaned_data.get("reason", "")
        )
    except WrongState as refusal:
        form.add_error(None, str(refusal))
        return False
    return True
