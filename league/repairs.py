"""The site of the repair pages: entered by the account's own sign-in, with its limits and second factor."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.core.exceptions import BadRequest, FieldError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.utils.decorators import method_decorator

from league.web.password_again import ask_password_at_any_address
from players.naming import Readers, show

READS = frozenset({"GET", "HEAD", "OPTIONS"})


class RepairSite(AdminSite):
    """Django's admin without a sign-in and a password form of its own: those of the account have limits.

    Every write on every page asks for the password again, whichever model or action it belongs to.
    """

    def admin_view(  # type: ignore[override]  # the stubs' own name for a view's type
        self, view: Callable[..., Any], cacheable: bool = False
    ) -> Callable[..., Any]:
        """Answer 400 to what can't be and no page of ours sends: a filter's year 99999, a choice that is no number."""
        checked = super().admin_view(view if view == self.logout else _with_password(view), cacheable)

        @wraps(checked)
        def readable(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            show(Readers.WORK)
            try:
                answer = checked(request, *args, **kwargs)
                # Drawn here: a form shown again looks its choices up only then.
                return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer
            except (FieldError, ValueError) as wrong:
                if request.GET or request.POST:
                    raise BadRequest("The address or the form asks for what can't be.") from wrong
                raise

        return readable

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send on who is signed in, and everybody else to the account's sign-in."""
        return super().login(request, extra_context)

    def password_change(  # type: ignore[override]  # Django's draws its form
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send to the account's own form, which counts wrong passwords and writes to the owner."""
        return redirect("account_change_password")


def _with_password(view: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a view: its writes ask for the password. Rights and CSRF are checked before, by the site."""

    @wraps(view)
    def confirmed(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method not in READS:
            ask_password_at_any_address(request)
        return view(request, *args, **kwargs)

    return confirmed
