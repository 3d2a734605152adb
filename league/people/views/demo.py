"""The page of a public demo where a visitor chooses a role. One click signs the visitor in."""

from __future__ import annotations

from http import HTTPStatus

from allauth.core.ratelimit import consume
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.actions.sessions import sign_in_to_demo
from league.web.demo_mode import DEMO_ROLES, demo_reset_page
from league.web.http_methods import allow_get_and_post
from players.models import User


@never_cache
@allow_get_and_post
def demo(request: HttpRequest) -> HttpResponse:
    if not settings.DEMO:
        raise Http404
    if request.method == "POST":
        return _sign_in(request)
    return render(request, "league/people/demo.html", {"next": request.GET.get(REDIRECT_FIELD_NAME, "")})


def _sign_in(request: HttpRequest) -> HttpResponse:
    target = request.POST.get(REDIRECT_FIELD_NAME, "")
    role = DEMO_ROLES.get(request.POST.get("role", ""))
    if role is None:
        messages.error(request, _("Choose one of the roles."))
        return render(request, "league/people/demo.html", {"next": target}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if not consume(request, action="demo_sign_in"):
        messages.error(request, _("Too many attempts. Try again in an hour."))
        return render(request, "league/people/demo.html", {"next": target}, status=HTTPStatus.TOO_MANY_REQUESTS)
    user = User.objects.filter(email=role.email).first()
    if user is None:  # the demo club does not exist yet: respond 503
        return demo_reset_page()
    sign_in_to_demo(request, user)
    is_own = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if is_own and target.startswith("/") else reverse("league:home"))
