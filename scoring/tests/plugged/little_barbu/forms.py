"""Little Barbu's form: dealer, contract, and for each player the penalty cards or tricks and a double."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.facts_form import FactsForm
from scoring.fields import CountField, RadioChoiceField, SeatField, require_fields, translated_choices

from .rules import NAMES


class PlayerRow(NamedTuple):
    """The fields of one player, for the template, and the name of the part with the double."""

    taken: forms.BoundField
    doubled: forms.BoundField
    part: str


class DealForm(FactsForm):
    contract = RadioChoiceField(translated_choices(NAMES), _("Contract"))

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        self.fields["dealer"] = SeatField(names, _("Dealer"))
        for seat, name in enumerate(names):
            self.fields[f"taken.{seat}"] = CountField(_("%(name)s: taken") % {"name": name})
            self.fields[f"doubled.{seat}"] = forms.BooleanField(
                label=_("%(name)s has doubled the dealer") % {"name": name},
                required=False,
                widget=forms.CheckboxInput({"class": "form-check-input"}),
            )
        self.order_fields(["dealer"])

    def clean(self) -> None:
        require_fields(self, "dealer", "contract", *(f"taken.{seat}" for seat in range(len(self.names))))

    def facts(self) -> dict[str, Any]:
        """Leave out the dealer's double: the hidden box is sent too."""
        facts = super().facts()
        facts["doubled"][facts["dealer"]] = False
        return facts

    def shown_parts(self) -> frozenset[str]:
        """The dealer can't double."""
        dealer = str(self["dealer"].value())
        return frozenset(row.part for seat, row in enumerate(self.rows()) if str(seat) != dealer)

    def rows(self) -> list[PlayerRow]:
        return [
            PlayerRow(self[f"taken.{seat}"], self[f"doubled.{seat}"], f"double-{seat}")
            for seat in range(len(self.names))
        ]

    def penalty_help(self) -> str:
        return {
            "tricks": gettext("Count the tricks: 8 in all."),
            "queens": gettext("Count the queens: 4 in all."),
            "barbu": gettext("1 for who took the king of hearts, 0 for the others."),
        }.get(self["contract"].value() or "", "")
