"""Form for the start of a tournament's finals: kind, number of players or pairs, third place, consolation draw."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.models import Evening, Tournament
from league.models.finals import FinalsKind
from league.pairing.finals import MAX_UNITS, MIN_UNITS, ImpossibleFinals
from league.tournaments.queries.finals_plan import FinalsPlan, check_finals, final_table_sizes, possible_finals_kinds

# By `field` and `code` of ImpossibleFinals.
ERROR_MESSAGES: Final[dict[tuple[str, str], Any]] = {
    ("units", "range"): _("From 2 to 32 units play finals."),
    ("units", "pools_of_four"): _("Pools of four need 4, 8, 12 … units."),
    ("units", "table_size"): _("The game has no table of this size."),
    ("third_place", "too_few"): _("A match for third place needs semi-finals."),
    ("third_place", "final_table"): _("A final table has no match for third place."),
    ("consolation", "too_few"): _("A consolation draw needs six units, or pools."),
    ("consolation", "is_third_place"): _("Of four units the losers play for third place: choose that match."),
    ("consolation", "final_table"): _("A final table has no consolation draw."),
    ("form", "unknown"): _("The game has no tables for these finals."),
}


class FinalsStartForm(forms.Form):
    form = forms.ChoiceField(label=_("Kind of finals"), widget=forms.RadioSelect)
    units = forms.IntegerField(label=_("Units that play"), min_value=MIN_UNITS, max_value=MAX_UNITS)
    third_place = forms.BooleanField(label=_("A match for third place"), required=False)
    consolation = forms.BooleanField(
        label=_("A consolation draw"),
        required=False,
        help_text=_("For the losers of the first stage, or the last two of each pool."),
    )

    def __init__(self, data: Any, *, tournament: Tournament, evening: Evening, present: int) -> None:
        """`present` is the number of units (players, pairs or teams) that can play."""
        self.tournament, self.evening = tournament, evening
        possible_kinds = possible_finals_kinds(tournament, evening)
        usual = possible_kinds[0] if possible_kinds else ""
        super().__init__(data, initial={"form": usual, "units": self._usual_unit_count(present)})
        field = self.fields["form"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(kind.value, kind.label) for kind in possible_kinds]
        if FinalsKind.KNOCKOUT not in possible_kinds:
            del self.fields["third_place"], self.fields["consolation"]

    def _usual_unit_count(self, present: int) -> int:
        if FinalsKind.KNOCKOUT in possible_finals_kinds(self.tournament, self.evening):
            return max((size for size in (2, 4, 8) if size <= present), default=2)
        sizes = final_table_sizes(self.tournament, self.evening)
        return max((size for size in sizes if size <= present and size <= 5), default=3)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors:
            try:
                check_finals(self.plan(), self.tournament, self.evening)
            except ImpossibleFinals as refusal:
                raise ValidationError({refusal.field: ERROR_MESSAGES[refusal.field, refusal.code]}) from refusal
        return values

    def plan(self) -> FinalsPlan:
        values = self.cleaned_data
        return FinalsPlan(
            values["form"], values["units"], values.get("third_place", False), values.get("consolation", False)
        )
