"""The sign-up form: creates the user and the player in one transaction. The fields for the name are in
forms/account.py.
"""

from __future__ import annotations

from allauth.account.forms import SignupForm as AccountForm
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from players.models import User


class AtomicSignupForm(AccountForm):
    """allauth's sign-up form. If two requests create the same address at the same time, one gets a message, not an
    error page.
    """

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        try:
            with transaction.atomic():
                user_or_response: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return user_or_response
        except IntegrityError:  # another request created the user after this form was validated
            messages.info(request, _("There is an account with this address already. Sign in with it."))
            return None, redirect("account_login")
