from __future__ import annotations

from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.models import Club, visible
from league.web.board_filter import NameAndDateFilter
from players.models import Player, RatingRules
from players.models.person import Viewer
from scoring.rules.interface import Rules


class LeaderboardFilter(NameAndDateFilter):
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

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.ModelChoiceField[Club]", self.fields["club"]).queryset = Club.objects.visible_to(viewer)
        self.viewer = viewer

    @property
    def matching_players(self) -> QuerySet[Player, Player] | None:
        if not self.searched_name:
            return None
        return Player.objects.search(self.searched_name, known_players=visible.players_with_member_names(self.viewer))


class LastDealForm(forms.Form):
    """Whether the deal of the calculator is the table's last deal.

    The facts of the deal and the house rules have their own forms. There is no field if the game scores the last deal
    like other deals.
    """

    last = forms.BooleanField(label=_("This is the table’s last deal"), required=False)

    def __init__(self, rules: Rules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not rules.scores_last_deal:
            del self.fields["last"]

    @property
    def is_last(self) -> bool:
        return bool(self.cleaned_data.get("last"))


class RatingRulesForm(forms.Form):
    rules = forms.ChoiceField(label=_("Rating rules"), choices=RatingRules.Kind, widget=forms.RadioSelect)
