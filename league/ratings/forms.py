from __future__ import annotations

from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.models import Club, visible
from league.web.board_filter import BoardFilter
from players.models import Player, RatingRules
from players.models.person import Reader


class LeaderboardFilter(BoardFilter):
    club = forms.ModelChoiceField(
        label=_("Club"),
        queryset=Club.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label=_("All clubs"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    inactive = forms.BooleanField(
        label=_("The inactive too"), required=False, widget=forms.CheckboxInput(attrs={"class": "form-check-input"})
    )
    established = forms.BooleanField(
        label=_("Without the provisional"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )

    def __init__(self, *args: Any, reader: Reader, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.ModelChoiceField[Club]", self.fields["club"]).queryset = Club.objects.visible_to(reader)
        self.reader = reader

    @property
    def matching_players(self) -> QuerySet[Player, Player] | None:
        if not self.typed:
            return None
        return Player.objects.search(self.typed, known_players=visible.known_names(self.reader))


class RatingRulesForm(forms.Form):
    rules = forms.ChoiceField(label=_("Rating rules"), choices=RatingRules.Kind, widget=forms.RadioSelect)
