"""Form for the reason of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Evening

if TYPE_CHECKING:
    EveningFields = forms.ModelForm[Evening]
else:  # Django's class takes no parameter at run time
    EveningFields = forms.ModelForm


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, help_text=_("Kept in the history, with your name."))
