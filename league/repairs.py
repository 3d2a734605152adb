"""The site of the repair pages: entered by the account's own sign-in, with its limits and second factor."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.views.main import SEARCH_VAR
from django.core.exceptions import BadRequest, FieldError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.utils.decorators import method_decorator

from players.forms.search import SearchForm
from players.naming import Readers, show


def _bound_search(request: HttpRequest) -> None:
    """Refuse a long search in words and show the list without it; in a field that completes names, answer 400."""
    for name in (SEARCH_VAR, "term"):
        search = SearchForm({"q": request.GET.get(name, "")})
        if not search.is_valid():
            if name != SEARCH_VAR:
                raise BadRequest(" ".join(map(str, search.errors["q"])))
            messages.error(request, " ".join(map(str, search.errors["q"])))
            query = request.GET.copy()
            del query[name]
            request.GET = query  # type: ignore[assignment]  # the stubs want one that cannot be changed


class RepairSite(AdminSite):
    """Django's admin without a sign-in and a password form of its own: those of the account have limits."""

    def admin_view(  # type: ignore[override]  # the stubs' own name for a view's type
        self, view: Callable[..., Any], cacheable: bool = False
    ) -> Callable[..., Any]:
        """Answer 400 to what can't be and no page of ours sends: a filter's year 99999, a choice that is no number."""
        checked = super().admin_view(view, cacheable)

        @wraps(checked)
        def readable(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            show(Readers.WORK)
            _bound_search(request)
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
