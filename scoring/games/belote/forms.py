"""The form for a deal of belote. Its fields have the order of a paper score sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.facts_form import FactsForm
from scoring.fields import Choices, CountField, RadioChoiceField, SeatField, require_fields
from scoring.games.belote.rules import CARD_POINTS, TEN_OF_LAST

SIDE_CHOICES: Choices = [("attack", _("taker's side")), ("defence", _("defence"))]
NO_ONE: Choices = [("", _("no one"))]
PASSED_CHOICE = "passed"
PENALTY_CHOICE = "penalty"


class DealForm(FactsForm):
    points = CountField(
        _("Card points of the taker's side"), help_text=_("0 to 152, without the ten of the last trick.")
    )
    last_trick = RadioChoiceField(SIDE_CHOICES, _("Last trick won by"))
    belote = RadioChoiceField([*NO_ONE, *SIDE_CHOICES], _("Belote and rebelote declared by"))
    all_tricks = RadioChoiceField([*NO_ONE, *SIDE_CHOICES], _("Every trick won by"))

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        no_taker = [(PASSED_CHOICE, _("everyone passed")), (PENALTY_CHOICE, _("irregularity"))]
        self.fields["taker"] = SeatField(names, _("Taker"), extra_choices=no_taker)
        self.fields["penalty"] = SeatField(
            names,
            _("Irregularity of"),
            help_text=_("The other side scores 162 each, and wins the points that are held."),
        )
        self.order_fields(["taker", "penalty"])

    def clean(self) -> None:
        require_fields(self, "taker")
        taker = self.cleaned_data.get("taker")
        if taker == PENALTY_CHOICE:
            require_fields(self, "penalty")
        elif taker != PASSED_CHOICE:
            require_fields(self, "points", "last_trick")

    def initial_for_facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        if facts.get("penalty") is not None:
            return {"taker": PENALTY_CHOICE, "penalty": facts["penalty"]}
        return {**facts, "taker": PASSED_CHOICE if facts["taker"] is None else facts["taker"]}

    def facts(self) -> dict[str, Any]:
        taker = self.cleaned_data["taker"]
        if taker == PASSED_CHOICE:
            return {"taker": None}
        if taker == PENALTY_CHOICE:
            return {"penalty": self.cleaned_data["penalty"]}
        return {name: value for name, value in super().facts().items() if name != "penalty"}

    def shown_parts(self) -> frozenset[str]:
        taker = self["taker"].value()
        if taker == PASSED_CHOICE:
            return frozenset()
        return frozenset({"penalty"}) if taker == PENALTY_CHOICE else frozenset({"result"})


class DealFormWithTen(DealForm):
    """A form whose points include the ten of the last trick if the taker's side won it. The recorded facts do not
    include it.
    """

    points = CountField(_("Points of the taker's side"), help_text=_("0 to 162, with the ten of the last trick."))

    def clean(self) -> None:
        super().clean()
        points = self.cleaned_data.get("points")
        maximum = CARD_POINTS + TEN_OF_LAST
        if points is not None and self._has_ten(self.cleaned_data) and not TEN_OF_LAST <= points <= maximum:
            text = _("With the last trick, the taker's side has 10 to 162 points.")
            self.add_error("points", ValidationError(text, code="out_of_range"))

    def initial_for_facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        values = super().initial_for_facts(facts)
        return {**values, "points": values["points"] + TEN_OF_LAST} if self._has_ten(facts) else values

    def facts(self) -> dict[str, Any]:
        facts = super().facts()
        return {**facts, "points": facts["points"] - TEN_OF_LAST} if self._has_ten(facts) else facts

    @staticmethod
    def _has_ten(facts: Mapping[str, Any]) -> bool:
        """Return whether the taker's side has the ten. `facts` are recorded facts, or the cleaned data of the form."""
        return facts.get("taker") not in (None, PASSED_CHOICE, PENALTY_CHOICE) and facts.get("last_trick") == "attack"
