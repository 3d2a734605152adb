"""What signing up asks beside address and password: the name of the person who plays.

allauth mixes this form into its own; it knows nothing of clubs, which people join by an invitation.
"""

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.accounts import add_player
from players.forms.names import NameField
from players.models import User


class SignupForm(forms.Form):
    """The names of a new player. Someone known by one name only leaves the family name empty."""

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
        """Called by allauth, in its transaction, once the login exists: makes its player."""
        add_player(self.cleaned_data["given_name"], self.cleaned_data["family_name"], user=user)
