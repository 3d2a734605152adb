"""Who of the club's people is there."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Evening
from players.models import Player


class CheckInForm(forms.Form):
    """Ticked names out of the club's people; ids of another club are no choice."""

    players = forms.ModelMultipleChoiceField(
        queryset=Player.objects.none(),
        label=_("Players"),
        error_messages={
            "required": _("Tick who is there."),
            "invalid_choice": _("One of them does not belong to this club."),
            "invalid_pk_value": _("One of them does not belong to this club."),
        },
    )

    def __init__(self, *args: Any, evening: Evening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["players"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = Player.objects.of_club(evening.season.club)
