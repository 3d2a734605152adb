"""Middleware and checks for the second factor.

On a site with HTTPS, superusers and staff must have a second factor. A club can require it of users who record results
or manage the club. An account with a second factor needs it in each session.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from allauth.account.middleware import AccountMiddleware
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.actions.sessions import SECOND_FACTOR_REQUIRED_KEY, has_given_second_factor
from league.models import Club
from league.models.rights import Right
from players.models.person import Viewer

ACCOUNT_PATH: Final = "/account/"
OPEN_PAGES: Final = ("mfa_reauthenticate", "mfa_reauthenticate_webauthn", "account_logout")


def require_second_factor_of_staff(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect superusers and staff without a second factor to its setup. They can open only account pages.

    `require_second_factor_of_session` asks for a second factor that already exists.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        is_required = (
            settings.HTTPS and (user.is_superuser or user.is_staff) and not request.path_info.startswith(ACCOUNT_PATH)
        )
        if not is_required or not user.is_authenticated or is_mfa_enabled(user):
            return get_response(request)
        messages.warning(request, _("Whoever looks after the installation signs in with a second factor. Set one up."))
        return redirect("mfa_index")

    return middleware


def require_second_factor_of_session(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Ask for a second factor that the user set up in another session, then repeat the request.

    Before the user gives the second factor, all other pages are closed. The password is not enough, because another
    person may know it. A POST is stored for repetition only if it passes the CSRF check. This function makes the check
    itself, because Django's middleware checks later, in `process_view`.
    """

    allauth = AccountMiddleware(get_response)  # type: ignore[no-untyped-call]

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or SECOND_FACTOR_REQUIRED_KEY not in request.session:
            return get_response(request)
        user = request.user
        if not user.is_authenticated or has_given_second_factor(request.session) or not is_mfa_enabled(user):
            del request.session[SECOND_FACTOR_REQUIRED_KEY]
            return get_response(request)
        if request.path in {reverse(name) for name in OPEN_PAGES}:
            return get_response(request)
        refused = CsrfViewMiddleware(get_response).process_view(request, get_response, (), {})
        if refused is not None:
            return refused
        messages.info(request, _("Your account has a second factor now. Give it once in this browser, too."))
        # allauth stores the request and returns to it, but would ask for the password first.
        suspended = allauth.process_exception(request, ReauthenticationRequired())
        return redirect(f"{reverse('mfa_reauthenticate')}?{urlsplit(suspended.url).query}")

    return middleware


class SecondFactorMissing(Exception):
    """The club requires a second factor that the user does not have."""

    def __init__(self, club: Club) -> None:
        super().__init__(club.pk)
        self.club = club


def lacks_second_factor(user: Viewer, club: Club, rights: frozenset[Right] | None = None) -> bool:
    """Return whether the club requires a second factor that the user does not have.

    A club can require it of users who record or manage. Superusers are not checked here. Pass the user's `rights` in
    the club if they are known.
    """
    if not club.asks_second_factor or user.is_superuser or not user.is_authenticated:
        return False
    return Right.RECORD in (club.rights_of(user) if rights is None else rights) and not is_mfa_enabled(user)


def check_second_factor(user: Viewer, club: Club) -> None:
    """Raise SecondFactorMissing if the club requires a second factor that the user does not have."""
    if lacks_second_factor(user, club):
        raise SecondFactorMissing(club)


def offer_factor_setup(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Respond to SecondFactorMissing with a page that links to the setup. The user can then repeat the request."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, SecondFactorMissing):
            return None
        sent = [(name, value) for name, values in request.POST.lists() for value in values]
        context = {
            "club": exception.club,
            "posted": request.method == "POST",
            "sent": [(name, value) for name, value in sent if name != "csrfmiddlewaretoken"],
        }
        return render(request, "league/people/second_factor_missing.html", context, status=HTTPStatus.FORBIDDEN)

    middleware.process_exception = process_exception  # type: ignore[attr-defined]
    return middleware
