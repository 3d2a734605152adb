"""Dangerous steps ask for the password again: a stolen session is worth that session alone."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from league.models.rights import TRUSTED

OF_ACCOUNT = "allauth.account"  # whose setting says that it is asked for, and for how long it was given
CONFIRMED = "confirmed"  # in the address of a page to which somebody comes back with his password given

with_password: Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]] = reauthentication_required(
    app=OF_ACCOUNT, allow_get=True
)


@reauthentication_required(app=OF_ACCOUNT)  # type: ignore[untyped-decorator]
def ask_password(request: HttpRequest) -> None:
    """Send the reader to where he gives his password or second factor, unless he did a moment ago.

    Call it after his rights are known. What he sent is then done as if he had sent it again. Its address answers a GET,
    too: to that he is led if he gives the password twice.
    """


def ask_password_at_any_address(request: HttpRequest) -> None:
    """Ask for the password; the request is then done even if its address has a query.

    allauth repeats a suspended request only if the address to which it returns has no query. The query's values are
    stored with the request.
    """
    try:
        ask_password(request)
    except ReauthenticationRequired:
        request.META = {**request.META, "QUERY_STRING": ""}
        raise


def ask_password_for_roles(request: HttpRequest, *roles: str) -> None:
    """Ask for the password where one of the roles, given or taken, may do more than a member."""
    if TRUSTED.intersection(roles):
        ask_password(request)


def ask_password_for_file(request: HttpRequest, page: str) -> None:
    """Ask for the password before a download, and lead back to its page, where the reader asks for the file again.

    A file as the answer to the password would leave him on the password's page.
    """
    try:
        ask_password(request)
    except ReauthenticationRequired:
        address = reverse("account_reauthenticate", query={REDIRECT_FIELD_NAME: f"{page}?{CONFIRMED}"})
        raise ImmediateHttpResponse(redirect(address)) from None
