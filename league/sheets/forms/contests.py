from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class ContestForm(forms.Form):
    reason = forms.CharField(
        label=_("What is wrong?"),
        max_length=300,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("For example: 43 points, not 34. The club’s secretaries read it and answer."),
    )


class AnswerForm(forms.Form):
    answer = forms.CharField(
        label=_("Answer"),
        max_length=300,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("The player who contested the deal can read it, and so can everyone who opens the deal."),
    )
