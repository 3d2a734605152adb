"""Belote's deal form, in the order in which a secretary reads a sheet. Belote has no house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.fields import ChoiceField, Choices, CountField, SeatField, need

SIDES: Choices = [("attack", _("taker's side")), ("defence", _("defence"))]
NO_ONE: Choices = [("", _("no one"))]
PASSED = "passed"


class DealForm(forms.Form):
    """One deal of belote. `names` are the four players; `facts` are shown again, to revise them."""

    use_required_attribute = False

    points = CountField(
        _("Card points of the taker's side"), help_text=_("0 to 152, without the ten of the last trick.")
    )
    last_trick = ChoiceField(SIDES, _("Last trick won by"))
    belote = ChoiceField([*NO_ONE, *SIDES], _("Belote and rebelote declared by"))
    all_tricks = ChoiceField([*NO_ONE, *SIDES], _("Every trick won by"))

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=_initial(facts) if facts else None)
        self.fields["taker"] = SeatField(names, _("Taker"), others=[(PASSED, _("everyone passed"))])
        self.order_fields(["taker"])

    def clean(self) -> None:
        """Ask for what a deal needs."""
        need(self, "taker")
        if self.cleaned_data.get("taker") != PASSED:
            need(self, "points", "last_trick")


def _initial(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {**facts, "taker": PASSED if facts["taker"] is None else facts["taker"]}


def facts(form: DealForm) -> dict[str, Any]:
    """A valid form's facts; when everyone passed, nothing else, whatever was typed."""
    cleaned = form.cleaned_data
    if cleaned["taker"] == PASSED:
        return {"taker": None}
    return {key: value for key, value in cleaned.items() if value is not None}


def form_field(field: str, form: DealForm) -> str | None:
    """The form's fields have the engine's names."""
    return field if field in form.fields else None


def shown(form: DealForm) -> frozenset[str]:
    """The result, unless everyone passed."""
    return frozenset() if form["taker"].value() == PASSED else frozenset({"result"})


class HouseRulesForm(forms.Form):
    """Belote has no house rules."""
