"""Ask for the password again before dangerous actions: a stolen session alone must not be enough."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from league.models.rights import ROLES_ABOVE_MEMBER

ACCOUNT_APP = "allauth.account"  # the allauth app whose settings define when the password is needed again
CONFIRMED_PARAMETER = "confirmed"  # query parameter: the user has just given the password, to get a file

recent_password_required: Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]] = (
    reauthentication_required(app=ACCOUNT_APP, allow_get=True)
)


@reauthentication_required(app=ACCOUNT_APP)  # type: ignore[untyped-decorator]
def ask_password(request: HttpRequest) -> None:
    """Raise ReauthenticationRequired unless the user gave the password or second factor recently.

    allauth then asks for the password or second factor, and repeats the request. Call this function after the check of
    rights. The view must also accept GET: a user who sends the confirmation twice is redirected to it.
    """


def ask_password_at_any_address(request: HttpRequest) -> None:
    """Do the same as `ask_password`, also for a URL with a query string.

    allauth repeats requests only without a query string, so the query parameters are stored with the request.
    """
    try:
        ask_password(request)
    except ReauthenticationRequired:
        request.META = {**request.META, "QUERY_STRING": ""}
        raise


def ask_password_for_roles(request: HttpRequest, *roles: str) -> None:
    """Call `ask_password` if one of the roles has more rights than a member."""
    if ROLES_ABOVE_MEMBER.intersection(roles):
        ask_password(request)


def ask_password_for_file(request: HttpRequest, page: str) -> None:
    """Ask for the password like `ask_password`. Then redirect to `page`, which has the link to the file.

    If the file were the response to the password form, the browser would continue to show that form.
    """
    try:
        ask_password(request)
    except ReauthenticationRequired:
        address = reverse("account_reauthenticate", query={REDIRECT_FIELD_NAME: f"{page}?{CONFIRMED_PARAMETER}"})
        raise ImmediateHttpResponse(redirect(address)) from None
