"""The forms for a deal of Two Way Street: a hand with a row for each player, or a duel of 2 players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.facts_form import FactsForm
from scoring.fields import Choices, CountField, RadioChoiceField, SeatField, require_fields

CALL_CHOICES: Choices = [("high", _("high")), ("low", _("low"))]
TRICKS_ERROR_MESSAGES = {"needed": _("How many tricks?")}


class HandRow(NamedTuple):
    """The fields of one player in a hand, for the template. `name` is the player's name."""

    name: str
    call: forms.BoundField
    forced: forms.BoundField
    tricks: forms.BoundField


class HandsForm(FactsForm):
    is_duel = False

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        for seat, name in enumerate(names):
            self.fields[f"hands.{seat}.call"] = RadioChoiceField(
                CALL_CHOICES, _("%(name)s: call") % {"name": name}, error_messages={"needed": _("High or low?")}
            )
            self.fields[f"hands.{seat}.forced"] = forms.BooleanField(
                label=_("%(name)s: forced") % {"name": name},
                required=False,
                widget=forms.CheckboxInput({"class": "form-check-input"}),
            )
            self.fields[f"hands.{seat}.tricks"] = CountField(
                _("%(name)s: tricks") % {"name": name}, error_messages=TRICKS_ERROR_MESSAGES
            )

    def clean(self) -> None:
        for seat in range(len(self.names)):
            require_fields(self, f"hands.{seat}.call", f"hands.{seat}.tricks")

    def rows(self) -> list[HandRow]:
        return [
            HandRow(name, self[f"hands.{seat}.call"], self[f"hands.{seat}.forced"], self[f"hands.{seat}.tricks"])
            for seat, name in enumerate(self.names)
        ]


class DuelForm(FactsForm):
    is_duel = True

    direction = RadioChoiceField(CALL_CHOICES, _("The winning bid was"))

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        self.fields["dealer"] = SeatField(names, _("Dealer"))
        for seat, name in enumerate(names):
            self.fields[f"tricks.{seat}"] = CountField(
                _("%(name)s: tricks") % {"name": name}, error_messages=TRICKS_ERROR_MESSAGES
            )

    def clean(self) -> None:
        require_fields(self, "direction", "dealer", "tricks.0", "tricks.1")

    def tricks(self) -> list[forms.BoundField]:
        return [self["tricks.0"], self["tricks.1"]]


def deal_form(
    names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
) -> FactsForm:
    return DuelForm(names, data, facts) if len(names) == 2 else HandsForm(names, data, facts)
