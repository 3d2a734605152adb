"""Belote's deal form, in the order of a paper sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.facts_form import FactsForm
from scoring.fields import ChoiceField, Choices, CountField, SeatField, require_fields
from scoring.games.belote.rules import CARD_POINTS, TEN_OF_LAST

SIDES: Choices = [("attack", _("taker's side")), ("defence", _("defence"))]
NO_ONE: Choices = [("", _("no one"))]
PASSED = "passed"


class DealForm(FactsForm):
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
        self.fields["taker"] = SeatField(names, _("Taker"), extra_choices=[(PASSED, _("everyone passed"))])
        self.order_fields(["taker"])

    def clean(self) -> None:
        require_fields(self, "taker")
        if self.cleaned_data.get("taker") != PASSED:
            require_fields(self, "points", "last_trick")

    def initial_of(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        return {**facts, "taker": PASSED if facts["taker"] is None else facts["taker"]}

    def facts(self) -> dict[str, Any]:
        return {"taker": None} if self.cleaned_data["taker"] == PASSED else super().facts()

    def shown(self) -> frozenset[str]:
        return frozenset() if self["taker"].value() == PASSED else frozenset({"result"})


class DealFormWithTen(DealForm):
    """A form whose points include the ten of the last trick. The facts do not."""

    points = CountField(_("Points of the taker's side"), help_text=_("0 to 162, with the ten of the last trick."))

    def clean(self) -> None:
        super().clean()
        points = self.cleaned_data.get("points")
        maximum = CARD_POINTS + TEN_OF_LAST
        if points is not None and self._has_ten(self.cleaned_data) and not TEN_OF_LAST <= points <= maximum:
            text = _("With the last trick, the taker's side has 10 to 162 points.")
            self.add_error("points", ValidationError(text, code="out_of_range"))

    def initial_of(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        values = super().initial_of(facts)
        return {**values, "points": values["points"] + TEN_OF_LAST} if self._has_ten(facts) else values

    def facts(self) -> dict[str, Any]:
        facts = super().facts()
        return {**facts, "points": facts["points"] - TEN_OF_LAST} if self._has_ten(facts) else facts

    @staticmethod
    def _has_ten(facts: Mapping[str, Any]) -> bool:
        return facts.get("taker") not in (None, PASSED) and facts.get("last_trick") == "attack"
