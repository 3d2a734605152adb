"""Separations: pairs of players who must not share a table, such as couples. For users who may record results."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import separations
from league.models import Club, Separation
from league.people.forms.members import SeparationForm
from league.web.lookups import club_context, recordable_or_403


@login_required
def separations_page(request: HttpRequest, slug: str) -> HttpResponse:
    club = recordable_or_403(Club.objects, request.user, slug=slug)
    form = SeparationForm(request.POST if request.method == "POST" else None, club=club)
    if form.is_valid():
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        separations.add_separation(club, first.pk, second.pk)
        text = _("%(first)s and %(second)s are kept apart by every draw from now on.")
        messages.success(request, text % {"first": first, "second": second})
        return redirect("league:apart", slug)
    pairs = (
        Separation.objects.filter(club=club).select_related("first", "second").order_by("first__committee_key", "pk")
    )
    context = {**club_context(club, request.user), "pairs": list(pairs), "form": form}
    return render(request, "league/people/apart.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def remove_separation(request: HttpRequest, pk: int) -> HttpResponse:
    pair = recordable_or_403(Separation.objects.select_related("club", "first", "second"), request.user, pk=pk)
    separations.remove_separation(pair)
    messages.success(request, _("%(first)s and %(second)s may meet.") % {"first": pair.first, "second": pair.second})
    return redirect("league:apart", pair.club.slug)
