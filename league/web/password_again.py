"""Ask for the password again before dangerous actions, so that a stolen session is not enough."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from league.models.rights import ROLES_ABOVE_MEMBER

OF_ACCOUNT = "allauth.account"  # the app whose settings define when the password is asked for
CONFIRMED_PARAMETER = "confirmed"  # query parameter: the user returns after giving the password

with_password: Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]] = reauthentication_required(
    app=OF_ACCOUNT, allow_get=True
)


@reauthentication_required(app=OF_ACCOUNT)  # type: ignore[untyped-decorator]
def ask_password(request: HttpRequest) -> None:
    """Redirect to the password or second factor, unless the user gave it recently. Call it after the check of rights.

    The request is then repeated as it was sent. Its address must also accept GET, for users who confirm twice.
    """


def ask_password_at_any_address(request: HttpRequest) -> None:
    """Ask for the password as `ask_password` does, also at an address with a query string.

    allauth repeats a request only at an address without one, so the values of the query are stored with the request.
    """
    try:
        ask_password(request)
    except ReauthenticationRequired:
        request.META = {**request.META, "QUERY_STRING": ""}
        raise


def ask_password_for_roles(request: HttpRequest, *roles: str) -> None:
    if ROLES_ABOVE_MEMBER.intersection(roles):
        ask_password(request)


def ask_password_for_file(request: HttpRequest, page: str) -> None:
    """Ask for the password as `ask_password` does, then return to the page with the link to the file.

    A file as answer to the password form would leave the form open.
    """
    try:
        ask_password(request)
    except ReauthenticationRequired:
        address = reverse("account_reauthenticate", query={REDIRECT_FIELD_NAME: f"{page}?{CONFIRMED_PARAMETER}"})
        raise ImmediateHttpResponse(redirect(address)) from None
