from django import forms
from django.utils.translation import gettext_lazy as _


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, help_text=_("Kept in the history, with your name."))
