"""Belote's deal form, in the order in which a secretary reads a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.facts_form import FactsForm
from scoring.fields import ChoiceField, Choices, CountField, SeatField, need

SIDES: Choices = [("attack", _("taker's side")), ("defence", _("defence"))]
NO_ONE: Choices = [("", _("no one"))]
PASSED = "passed"


class DealForm(FactsForm):
    """One deal of belote."""

    points = CountField(
        _("Card points of the taker's side"), help_text=_("0 to 152, without the ten of the last trick.")
    )
    last_trick = ChoiceField(SIDES, _("Last trick won by"))
    belote = ChoiceField([*NO_ONE, *SIDES], _("Belote and rebelote declared by"))
    all_tricks = ChoiceField([*NO_ONE, *SIDES], _("Every trick won by"))

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        self.fields["taker"] = SeatField(names, _("Taker"), others=[(PASSED, _("everyone passed"))])
        self.order_fields(["taker"])

    def clean(self) -> None:
        """Ask for what a deal needs."""
        need(self, "taker")
        if self.cleaned_data.get("taker") != PASSED:
            need(self, "points", "last_trick")

    def initial_of(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Show that everyone passed as a choice of the taker."""
        return {**facts, "taker": PASSED if facts["taker"] is None else facts["taker"]}

    def facts(self) -> dict[str, Any]:
        """Return that everyone passed, and no more, whatever was typed; else the whole deal."""
        return {"taker": None} if self.cleaned_data["taker"] == PASSED else super().facts()

    def shown(self) -> frozenset[str]:
        """Return the result, unless everyone passed."""
        return frozenset() if self["taker"].value() == PASSED else frozenset({"result"})
