"""Signing up as a whole: the login and its player in one transaction. What is asked stands in forms/account.py."""

from __future__ import annotations

from allauth.account.forms import SignupForm as AccountForm
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from players.models import User


class WholeSignupForm(AccountForm):
    """allauth's form, which writes login and player one after the other and knows nobody who is signing up just now."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Return the new login; or where to go instead, when the same form was sent twice at once."""
        try:
            with transaction.atomic():
                saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return saved
        except IntegrityError:  # the address: it was free when the form was read
            messages.info(request, _("There is an account with this address already. Sign in with it."))
            return None, redirect("account_login")
