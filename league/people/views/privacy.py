"""A user's privacy: how the name is shown, and a download of the stored data."""

from __future__ import annotations

from allauth.core.ratelimit import consume
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import audit, player_names
from league.models.audit_entry import AuditEvent, ExportKind
from league.people.queries.own_data import own_data
from league.web.http_methods import allow_get_and_post
from league.web.password_again import CONFIRMED_PARAMETER, ask_password_for_file
from players.forms.naming import NamingForm
from players.models import Player, User


@login_required
@allow_get_and_post
def privacy(request: HttpRequest) -> HttpResponse:
    player: Player | None = getattr(request.user, "player", None)
    form = NamingForm(request.POST if request.method == "POST" else None, player=player) if player else None
    if request.method == "POST" and player and form and form.is_valid():
        try:
            player_names.choose_naming(player.pk, **form.cleaned_data)
        except player_names.InvalidNameChoice as refused:
            form.add_error(refused.field, refused.message)
        else:
            messages.success(request, _("Your choice is kept: you are named so everywhere, in past results too."))
            return redirect("league:privacy")
    context = {"player": player, "form": form, "confirmed": CONFIRMED_PARAMETER in request.GET}
    return render(request, "league/people/privacy.html", context, status=422 if form and form.errors else 200)


@login_required
@require_POST
def download_own_data(request: HttpRequest) -> HttpResponseBase:
    assert isinstance(request.user, User)  # login_required
    ask_password_for_file(request, reverse("league:privacy"))
    if not consume(request, action="own_data", user=request.user):
        return render(request, "league/people/privacy_later.html", status=429)
    audit.log(AuditEvent.EXPORTED, by=request.user, what=ExportKind.OWN_DATA)
    response = StreamingHttpResponse(own_data(request.user), content_type="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Content-Disposition"] = content_disposition_header(True, "my-data.json") or ""
    return response
