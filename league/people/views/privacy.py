"""What somebody decides about himself: how he is named."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.actions import player_names
from players.forms.naming import NamingForm
from players.models import Player


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def privacy(request: HttpRequest) -> HttpResponse:
    """How the reader is named, to everyone and to members."""
    player: Player | None = getattr(request.user, "player", None)
    form = NamingForm(request.POST if request.method == "POST" else None, player=player) if player else None
    if request.method == "POST" and player and form and form.is_valid():
        try:
            player_names.choose(player.pk, **form.cleaned_data)
        except player_names.Refused as refused:
            form.add_error(refused.field, refused.message)
        else:
            messages.success(request, _("Your choice is kept: you are named so everywhere, in past results too."))
            return redirect("league:privacy")
    context = {"player": player, "form": form}
    return render(request, "league/people/privacy.html", context, status=422 if form and form.errors else 200)
