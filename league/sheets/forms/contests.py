"""What is said of a contested deal."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class ContestForm(forms.Form):
    """A member's reason."""

    reason = forms.CharField(
        label=_("What is wrong?"),
        max_length=300,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("For example: 43 points, not 34. Whoever records in the club reads it and answers."),
    )


class AnswerForm(forms.Form):
    """The answer to it."""

    answer = forms.CharField(
        label=_("Answer"),
        max_length=300,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Who contested the deal reads it, and everyone who looks at the deal."),
    )
