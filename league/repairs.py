"""The admin site. Sign-in is allauth's, with its rate limits and second factor."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.views.main import SEARCH_VAR
from django.core.exceptions import BadRequest, FieldDoesNotExist, FieldError, ObjectDoesNotExist
from django.db import DataError, IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.utils.decorators import method_decorator

from league.web.password_again import ask_password_at_any_address
from players.forms.search import SearchForm
from players.naming import Audience, show_names_to

READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Exceptions that pages of Django and pghistory raise for forged parameters.
INVALID_VALUE_ERRORS = (
    FieldDoesNotExist,
    FieldError,
    ValueError,
    OverflowError,
    DataError,
    IntegrityError,
    ObjectDoesNotExist,
)
# Django accepts these lookups in any URL. They would pass a pattern or too many parameters to the database.
FORBIDDEN_LOOKUPS = ("__regex", "__iregex", "__range")


def _check_search_length(request: HttpRequest) -> None:
    """Replace a search text that is too long by an error message. In an autocomplete field, raise BadRequest."""
    for name in (SEARCH_VAR, "term"):
        search = SearchForm({"q": request.GET.get(name, "")})
        if not search.is_valid():
            if name != SEARCH_VAR:
                raise BadRequest(" ".join(map(str, search.errors["q"])))
            messages.error(request, " ".join(map(str, search.errors["q"])))
            query = request.GET.copy()
            del query[name]
            request.GET = query  # type: ignore[assignment]  # the stubs require an immutable QueryDict


class RepairSite(AdminSite):
    """Django's admin with allauth's sign-in and password form, which have rate limits.

    Each write asks for the password again.
    """

    def admin_view(  # type: ignore[override]  # the stubs' own name for a view's type
        self, view: Callable[..., Any], cacheable: bool = False
    ) -> Callable[..., Any]:
        """Require the password for writes. Respond 400 to values that no admin page sends, such as the year 99999."""
        checked = super().admin_view(view if view == self.logout else _require_password(view), cacheable)

        @wraps(checked)
        def readable(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            show_names_to(Audience.COMMITTEE)
            _check_values(request)
            _check_search_length(request)
            try:
                response = checked(request, *args, **kwargs)
                # Render here, because a form queries its choices during rendering.
                return response.render() if isinstance(response, SimpleTemplateResponse) else response
            except INVALID_VALUE_ERRORS as wrong:
                if request.GET or request.POST:
                    raise BadRequest("The address or the form asks for what can't be.") from wrong
                raise

        return readable

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().login(request, extra_context)

    def password_change(  # type: ignore[override]  # Django's draws its form
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to allauth's form, which counts wrong passwords and notifies the owner."""
        return redirect("account_change_password")


def _require_password(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def confirmed(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method not in READ_METHODS:
            ask_password_at_any_address(request)
        return view(request, *args, **kwargs)

    return confirmed


def _check_values(request: HttpRequest) -> None:
    """Raise BadRequest for values that no admin page sends.

    These are a NUL character, which PostgreSQL cannot store, some lookups, the button "Save as new", and a number of
    rows in a formset that is no whole number.
    """
    pairs = [(name, value) for sent in (request.GET, request.POST) for name, values in sent.lists() for value in values]
    if any("\0" in name or "\0" in value for name, value in (*pairs, (request.path, ""))):
        raise BadRequest("A value contains a NUL.")
    if any(name.endswith(FORBIDDEN_LOOKUPS) for name in request.GET):
        raise BadRequest("The repair pages filter by no pattern and no range.")
    if "_saveasnew" in request.POST:
        raise BadRequest("No page offers to save a row as a new one.")
    counts = [value for name, value in pairs if name.endswith(("-TOTAL_FORMS", "-INITIAL_FORMS"))]
    if not all(value.isascii() and value.isdigit() for value in counts):
        raise BadRequest("The number of rows of a form is a whole number.")
