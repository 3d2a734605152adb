"""The name of a club's founder."""

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Club
from players.forms.names import NameField

if TYPE_CHECKING:
    ClubFields = forms.ModelForm[Club]
else:  # Django's class takes no parameter at run time
    ClubFields = forms.ModelForm


class FounderForm(forms.Form):
    """The name of a founder who has a login and is no player yet."""

    given_name = NameField(label=_("Your given name"), max_length=60)
    family_name = NameField(label=_("Your family name"), max_length=60, required=False)
