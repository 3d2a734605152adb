"""The form for a new password, which can also end API tokens and the calendar's address."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ChangePasswordForm
from django import forms
from django.utils.translation import gettext_lazy as _

from league.actions import api_tokens
from players.models import User


class PasswordForm(ChangePasswordForm):
    """The form for a new password.

    If the user ticks `end_programs`, API tokens and the calendar's address end. Otherwise both stay valid.
    """

    end_programs = forms.BooleanField(
        label=_("Also end my API tokens and the address of my calendar"),
        help_text=_("Choose this if another person may know your password. Sessions in other browsers end anyway."),
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert isinstance(self.user, User)
        if not api_tokens.has_program_access(self.user):
            del self.fields["end_programs"]

    def save(self) -> None:
        super().save()
        assert isinstance(self.user, User)
        if self.cleaned_data.get("end_programs"):
            api_tokens.end_program_access(self.user)
