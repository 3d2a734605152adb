"""Which equation a game is rated by."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import RatingRules


class RatingRulesForm(forms.Form):
    """The choice among the rating rules; `initial` has those in force."""

    rules = forms.ChoiceField(label=_("Rating rules"), choices=RatingRules.Kind, widget=forms.RadioSelect)
