from django import forms
from django.utils.translation import gettext_lazy as _

from players.forms.names import NameField


class FounderForm(forms.Form):
    given_name = NameField(label=_("Your given name"), max_length=60)
    family_name = NameField(label=_("Your family name"), max_length=60, required=False)
