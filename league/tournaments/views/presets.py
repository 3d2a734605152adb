"""Pages of a club's presets of tournaments: save a tournament's values as a preset, rename and delete a preset."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import tournament_presets
from league.actions.refusals import WrongState
from league.models import Tournament, TournamentPreset
from league.tournaments.forms.presets import PresetNameForm
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403


@login_required
@allow_get_and_post
def save(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a tournament's values as a preset of its club."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    form = PresetNameForm(request.POST if request.method == "POST" else None, initial={"name": row.name})
    if request.method == "POST" and form.is_valid():
        try:
            tournament_presets.save_preset(row, form.cleaned_data["name"])
        except tournament_presets.NameTaken:
            form.add_error("name", _("The club has a preset of that name already."))
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The preset is saved: a new tournament can begin with it."))
            return redirect(row)
    context = {**club_context(row.club, request.user), "tournament": row, "form": form}
    return render(request, "league/tournaments/preset_save.html", context, status=422 if form.errors else 200)


@login_required
@allow_get_and_post
def preset(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a preset. A POST renames it."""
    row = recordable_or_403(TournamentPreset.objects.select_related("club"), request.user, pk=pk)
    title = row.name
    form = PresetNameForm(request.POST if request.method == "POST" else None, initial={"name": row.name})
    if request.method == "POST" and form.is_valid():
        try:
            tournament_presets.rename_preset(row, form.cleaned_data["name"])
        except tournament_presets.NameTaken:
            form.add_error("name", _("The club has a preset of that name already."))
        else:
            messages.success(request, _("The preset is renamed."))
            return redirect("league:tournament-create", row.club.slug)
    context = {**club_context(row.club, request.user), "title": title, "preset": row, "form": form}
    return render(request, "league/tournaments/preset.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable_or_403(TournamentPreset.objects.select_related("club"), request.user, pk=pk)
    tournament_presets.delete_preset(row)
    messages.success(request, _("The preset is deleted."))
    return redirect("league:tournament-create", row.club.slug)
