"""Form for the name of a club's preset of tournaments."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.forms.names import NameField


class PresetNameForm(forms.Form):
    name = NameField(label=_("Name of the preset"), max_length=80)
