from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.draw.draw_types import MAX_SEED
from league.models import Table
from players.models import Player


class DrawPlanForm(forms.Form):
    rounds = forms.IntegerField(label=_("Rounds of the evening"), min_value=1, max_value=20)
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=MAX_SEED,
        required=False,
        help_text=_("Empty: by lot. The same seed with the same people gives the same draw."),
    )


class SwapPlayersForm(forms.Form):
    first = forms.TypedChoiceField(label=_("This player"), coerce=int)
    second = forms.TypedChoiceField(label=_("changes places with"), coerce=int)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def __init__(self, *args: Any, players: Iterable[Player], asks_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "–"), *((player.pk, str(player)) for player in players)]
        for name in ("first", "second"):
            cast("forms.TypedChoiceField", self.fields[name]).choices = choices
        if not asks_reason:
            del self.fields["reason"]

    def clean(self) -> None:
        first = self.cleaned_data.get("first")
        if first and first == self.cleaned_data.get("second"):
            self.add_error("second", _("Choose another player than the first."))


class SwapPlayersOfTablesForm(forms.Form):
    other = forms.TypedChoiceField(label=_("Its players change places with"), coerce=int)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def __init__(self, *args: Any, tables: Iterable[Table], asks_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.TypedChoiceField", self.fields["other"])
        field.choices = [(table.pk, _table_label(table)) for table in tables]
        if not asks_reason:
            del self.fields["reason"]


def _table_label(table: Table) -> str:
    return f"{table}{_(': ')}{', '.join(str(seat.player) for seat in table.seats.all())}"
