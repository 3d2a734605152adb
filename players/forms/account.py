"""The part of the sign-up form with the player's name (setting ACCOUNT_SIGNUP_FORM_CLASS)."""

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.accounts import add_player
from players.forms.names import NameField
from players.models import User


class SignupForm(forms.Form):
    field_order = ("given_name", "family_name", "email", "password1")

    given_name = NameField(
        label=_("Given name"), max_length=60, widget=forms.TextInput(attrs={"autocomplete": "given-name"})
    )
    family_name = NameField(
        label=_("Family name"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
        help_text=_("As it stands on the club's list."),
    )

    def signup(self, request: HttpRequest, user: User) -> None:
        add_player(self.cleaned_data["given_name"], self.cleaned_data["family_name"], user=user)
