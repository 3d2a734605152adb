from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.operations.queries.setup_code import is_setup_code
from players.models import User

MAX_CODE_LENGTH: Final = 40  # characters, including spaces
MAX_PASSWORD_LENGTH: Final = 128


class SetupForm(forms.Form):
    """The form for the first superuser of an installation.

    The field `code` proves that the visitor can read the web server's log, which shows the code.
    """

    code = forms.CharField(
        label=_("Code from the log"),
        max_length=MAX_CODE_LENGTH,
        help_text=_("20 letters and digits, in the line “setup_code” of the web server’s log."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=_("E-mail address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        help_text=password_validators_help_text_html(),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    repeated = forms.CharField(
        label=_("The same password again"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not is_setup_code(code):
            raise ValidationError(_("This is not the code. The newest line “setup_code” of the log has it."))
        return code

    def clean_repeated(self) -> str:
        repeated: str = self.cleaned_data["repeated"]
        if self.cleaned_data.get("password") not in (None, repeated):
            raise ValidationError(_("The two passwords differ."))
        return repeated

    def clean(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().clean() or {}
        if password := fields.get("password"):
            try:
                validate_password(password, User(email=fields.get("email", "")))
            except ValidationError as error:
                self.add_error("password", error)
        return fields
