"""Pages of a club's own games by totals."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import club_games
from league.actions.refusals import WrongState
from league.clubs.forms.games import PRESETS, ClubGameForm
from league.models import Club, ClubGame
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403


@login_required
@allow_get_and_post
def games(request: HttpRequest, slug: str) -> HttpResponse:
    """List the club's games, with a form for a new one. `?preset=` fills the form with the settings of a known game."""
    club = managed_or_403(Club.objects, request.user, slug=slug)
    preset = PRESETS.get(request.GET.get("preset", ""))
    game = ClubGame(club=club, **({"name": str(preset.name), **preset.fields} if preset else {}))
    form = ClubGameForm(request.POST if request.method == "POST" else None, instance=game)
    if form.is_valid():
        try:
            club_games.add_game(club, form.instance)
        except club_games.NameTaken:
            form.add_error("name", _("The club has a game of that name already."))
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(game)s is defined. A new season can choose it.") % {"game": form.instance})
            return redirect("league:club-games", slug)
    context = {
        **club_context(club, request.user),
        "games": list(club.games.all()),
        "presets": PRESETS,
        "form": form,
    }
    return render(request, "league/clubs/games.html", context, status=422 if form.errors else 200)


@login_required
@allow_get_and_post
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a game. If results exist, only its name can be changed."""
    game = managed_or_403(ClubGame.objects.select_related("club"), request.user, pk=pk)
    name, club = game.name, game.club
    data = request.POST if request.method == "POST" else None
    form = ClubGameForm(data, instance=game, is_frozen=club_games.has_results(game))
    if form.is_valid():
        try:
            club_games.change_game(form.instance, form.stored_fields)
        except club_games.NameTaken:
            form.add_error("name", _("The club has a game of that name already."))
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(game)s is changed.") % {"game": form.instance})
            return redirect("league:club-games", club.slug)
    context = {
        **club_context(club, request.user),
        "name": name,
        "pk": pk,
        "form": form,
        "is_used": game.seasons.exists(),
    }
    return render(request, "league/clubs/game.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def delete_game(request: HttpRequest, pk: int) -> HttpResponse:
    game = managed_or_403(ClubGame.objects.select_related("club"), request.user, pk=pk)
    run_action(request, lambda: club_games.delete_game(game), _("%(game)s is deleted.") % {"game": game.name})
    return redirect("league:club-games", game.club.slug)
