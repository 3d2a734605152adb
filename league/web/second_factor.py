"""The middleware that asks the installation's own people for a second factor where the site speaks https."""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

ACCOUNT = "/account/"


def required_of_staff(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Send superusers and staff without a second factor to where they set one up; only their account is open to them.

    Whoever has one was asked for it at the sign-in.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        asked = settings.HTTPS and (user.is_superuser or user.is_staff) and not request.path_info.startswith(ACCOUNT)
        if not asked or not user.is_authenticated or is_mfa_enabled(user):
            return get_response(request)
        messages.warning(request, _("Whoever looks after the installation signs in with a second factor. Set one up."))
        return redirect("mfa_index")

    return middleware
