"""A season's set-up: the part that every game has; the house rules are the game's own form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.models import Club, Season
from league.models.season import End
from scoring.game import Game

if TYPE_CHECKING:
    SeasonFields = forms.ModelForm[Season]
else:
    SeasonFields = forms.ModelForm


class SeasonForm(SeasonFields):
    """Name, table sizes and the end of a table, within what the game allows."""

    class Meta:
        model = Season
        fields = ["name", "table_sizes", "fifth_rests", "end", "end_number", "contest_hours"]

    def __init__(self, *args: Any, club: Club, game: Game, **kwargs: Any) -> None:
        """`game` decides which sizes and ends there are, and what is usual."""
        super().__init__(*args, **kwargs)
        self.club, self.game = club, game
        self.fields["table_sizes"] = forms.TypedMultipleChoiceField(
            label=_("Table sizes"),
            choices=[
                (size, ngettext("%(size)s player", "%(size)s players", size) % {"size": size}) for size in game.sizes
            ],
            coerce=int,
            widget=forms.CheckboxSelectMultiple,
        )
        if not game.may_rest:
            del self.fields["fifth_rests"]
        self.fields["end"] = forms.ChoiceField(
            label=_("A table ends"), choices=[(end, End(end).label) for end in game.ends], widget=forms.RadioSelect
        )
        if self.instance._state.adding:
            usual = next(iter(game.ends))
            self.initial.update(table_sizes=game.usual_sizes, end=usual, end_number=game.ends[usual])

    def clean_name(self) -> str:
        """Names are told apart in a club; the database would refuse them later and less clearly."""
        name: str = self.cleaned_data["name"]
        if self.club.seasons.filter(name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("The club has a season of that name already."))
        return name

    def clean(self) -> dict[str, Any]:
        """A numbered end has its number, and the other has none."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("end") == End.HAND:
            cleaned["end_number"] = None
        elif not cleaned.get("end_number") and "end_number" not in self.errors:
            self.add_error("end_number", _("Say after how many deals, points or minutes a table ends."))
        if cleaned.get("fifth_rests") and max(cleaned.get("table_sizes") or [0]) < 4:
            self.add_error("fifth_rests", _("Someone can rest only at tables of four and more."))
        return cleaned


class RulesChangeForm(forms.Form):
    """Asked for when results were recorded under the rules that change."""

    reason = forms.CharField(
        label=_("Reason for the change"),
        max_length=200,
        help_text=_("Deals were recorded under these rules. Every one is scored again, and members can read why."),
    )
