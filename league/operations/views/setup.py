"""The setup page, which creates the first admin of an installation. It returns 404 if an account exists."""

from __future__ import annotations

from http import HTTPStatus

from allauth.core.ratelimit import consume
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from league.actions.first_admin import create_first_admin
from league.operations.forms.setup import SetupForm
from league.operations.queries.setup_code import has_accounts
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post


@sensitive_post_parameters()
@never_cache
@allow_get_and_post
def setup(request: HttpRequest) -> HttpResponse:
    if has_accounts():
        raise Http404
    if request.method != "POST":
        return render(request, "league/operations/setup.html", {"form": SetupForm()})
    if not consume(request, action="setup"):  # then the code is not even compared
        messages.error(request, _("Too many attempts. Try again in an hour."))
        return render(
            request, "league/operations/setup.html", {"form": SetupForm()}, status=HTTPStatus.TOO_MANY_REQUESTS
        )
    form = SetupForm(request.POST)
    if form.is_valid():
        return _create_admin(request, form)
    return render(request, "league/operations/setup.html", {"form": form}, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _create_admin(request: HttpRequest, form: SetupForm) -> HttpResponse:
    fields = form.cleaned_data
    if not run_action(request, lambda: create_first_admin(fields["email"], fields["password"])):
        return redirect("account_login")
    if not settings.HTTPS:  # such as a hall server: no second factor is asked for
        messages.success(request, _("Your account looks after this installation. Sign in."))
        return redirect("account_login")
    messages.success(
        request,
        _(
            "Your account looks after this installation. Sign in, and set up a second factor. Then open “Installation” "
            "in your menu: it shows the settings, and tests e-mails and backups."
        ),
    )
    return redirect(reverse("account_login", query={REDIRECT_FIELD_NAME: reverse("mfa_activate_totp")}))
