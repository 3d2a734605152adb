"""The site of the repair pages: entered by the account's own sign-in, with its limits and second factor."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator


class RepairSite(AdminSite):
    """Django's admin without a sign-in and a password form of its own: those of the account have limits."""

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send on who is signed in, and everybody else to the account's sign-in."""
        return super().login(request, extra_context)

    def password_change(  # type: ignore[override]  # Django's draws its form
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send to the account's own form, which counts wrong passwords and writes to the owner."""
        return redirect("account_change_password")
