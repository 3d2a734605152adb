"""Pages about the API: its documentation, and the user's tokens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.actions import api_tokens
from league.actions.refusals import WrongState
from league.api.forms import TokenForm
from league.api.schema import CURL_EXAMPLE, api
from league.models import ApiToken
from league.web.http_methods import allow_get_and_post
from league.web.password_again import recent_password_required
from players.models import User

TAG_TITLES = {
    "clubs": gettext_lazy("Clubs"),
    "seasons": gettext_lazy("Seasons"),
    "evenings": gettext_lazy("Evenings"),
    "tables": gettext_lazy("Tables and deals"),
    "tournaments": gettext_lazy("Tournaments"),
    "players": gettext_lazy("Players"),
    "games": gettext_lazy("Games"),
}


class Endpoint(NamedTuple):
    tag: str
    method: str
    path: str
    summary: str


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    site = request.build_absolute_uri("/").rstrip("/")
    context = {
        "schema": reverse("api:openapi-json"),
        "example": CURL_EXAMPLE.format(site=site),
        "parts": [
            (TAG_TITLES[tag], list(endpoints))
            for tag, endpoints in groupby(_endpoints(), key=lambda endpoint: endpoint.tag)
        ],
    }
    return render(request, "league/api/guide.html", context)


def _endpoints() -> Iterator[Endpoint]:
    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            yield Endpoint(operation["tags"][0], method.upper(), path, translation.gettext(operation["summary"]))


@login_required
@allow_get_and_post
@never_cache
@recent_password_required
def tokens(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    now = timezone.now()
    today = timezone.localdate(now)
    form = TokenForm(request.POST if request.method == "POST" else None, user=request.user, today=today)
    new_token = ""
    if form.is_valid():
        try:
            new_token = api_tokens.create_token(request.user, **form.cleaned_data, now=now)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            form = TokenForm(user=request.user, today=today)
    user_tokens = ApiToken.objects.filter(user=request.user).select_related("club")
    context = {"form": form, "made": new_token, "today": today, "tokens": user_tokens}
    return render(request, "league/api/tokens.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    assert isinstance(request.user, User)
    token = get_object_or_404(ApiToken, user=request.user, pk=pk)
    api_tokens.revoke_token(token)
    messages.success(request, _("The token “%(name)s” has ended.") % {"name": token})
    return redirect("league:tokens")
