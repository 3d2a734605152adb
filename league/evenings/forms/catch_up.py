from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Rest
from league.models.table_limits import MAX_TABLE_POINTS
from league.web.lost_updates import FormAgainstLostUpdates


class CatchUpForm(FormAgainstLostUpdates, forms.Form):
    """Form for the points of the catch-up games of a round, with one field per rest.

    A rest is a round that a player sat out. In a catch-up game this player plays at a table that finished early. Fetch
    the rests with `select_related("player")`.
    """

    def __init__(self, data: Any = None, *, rests: Sequence[Rest], asks_reason: bool) -> None:
        self._rest_by_field = {f"rest-{rest.pk}": rest for rest in rests}
        super().__init__(data, initial={name: rest.written for name, rest in self._rest_by_field.items()})
        for name, rest in self._rest_by_field.items():
            self.fields[name] = forms.IntegerField(
                label=str(rest.player), min_value=-MAX_TABLE_POINTS, max_value=MAX_TABLE_POINTS, required=False
            )
            self.fields[name].show_hidden_initial = self.add_initial_prefix(name) in self.data
        if asks_reason and rests:
            self.fields["reason"] = forms.CharField(label=_("Reason"), max_length=200)

    @property
    def changed_points(self) -> dict[int, int | None]:
        """Return the changed points as {rest id: points}. None means that the user emptied the field."""
        return {
            rest.pk: self.cleaned_data[name] for name, rest in self._rest_by_field.items() if name in self.changed_data
        }
