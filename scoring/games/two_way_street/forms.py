"""Two Way Street's deal forms: a row a player, or a duel of two; and its house rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.fields import ChoiceField, Choices, CountField, OptionField, SeatField, need

CALLS: Choices = [("high", _("high")), ("low", _("low"))]
HOW_MANY = {"needed": _("How many tricks?")}
_HAND = re.compile(r"hands\.(\d+)\.(call|forced|tricks)")
_TRICKS = re.compile(r"tricks\.([01])")


class HandRow(NamedTuple):
    """The fields of one player, for the template."""

    name: str
    call: forms.BoundField
    forced: forms.BoundField
    tricks: forms.BoundField


class HandsForm(forms.Form):
    """A hand of 3 and more players."""

    use_required_attribute = False
    duel = False

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=_initial_hands(facts) if facts else None)
        self.names = names
        for seat, name in enumerate(names):
            self.fields[f"call_{seat}"] = ChoiceField(
                CALLS, _("%(name)s: call") % {"name": name}, error_messages={"needed": _("High or low?")}
            )
            self.fields[f"forced_{seat}"] = forms.BooleanField(
                label=_("%(name)s: forced") % {"name": name},
                required=False,
                widget=forms.CheckboxInput({"class": "form-check-input"}),
            )
            self.fields[f"tricks_{seat}"] = CountField(_("%(name)s: tricks") % {"name": name}, error_messages=HOW_MANY)

    def clean(self) -> None:
        """Everyone has a call and tricks."""
        for seat in range(len(self.names)):
            need(self, f"call_{seat}", f"tricks_{seat}")

    def rows(self) -> list[HandRow]:
        """A row a player, for the template."""
        return [
            HandRow(name, self[f"call_{seat}"], self[f"forced_{seat}"], self[f"tricks_{seat}"])
            for seat, name in enumerate(self.names)
        ]


class DuelForm(forms.Form):
    """A duel of two."""

    use_required_attribute = False
    duel = True

    direction = ChoiceField(CALLS, _("The winning bid was"))

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=_initial_duel(facts) if facts else None)
        self.fields["dealer"] = SeatField(names, _("Dealer"))
        for seat, name in enumerate(names):
            self.fields[f"tricks_{seat}"] = CountField(_("%(name)s: tricks") % {"name": name}, error_messages=HOW_MANY)

    def clean(self) -> None:
        """All four are needed."""
        need(self, "direction", "dealer", "tricks_0", "tricks_1")


def deal_form(
    names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
) -> HandsForm | DuelForm:
    """The form for that many players: two play duels."""
    return DuelForm(names, data, facts) if len(names) == 2 else HandsForm(names, data, facts)


def _initial_hands(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{key}_{seat}": value for seat, hand in enumerate(facts["hands"]) for key, value in hand.items()}


def _initial_duel(facts: Mapping[str, Any]) -> dict[str, Any]:
    first, second = facts["tricks"]
    return {"direction": facts["direction"], "dealer": facts["dealer"], "tricks_0": first, "tricks_1": second}


def facts(form: HandsForm | DuelForm) -> dict[str, Any]:
    """A valid form's facts."""
    cleaned = form.cleaned_data
    if isinstance(form, DuelForm):
        tricks = [cleaned["tricks_0"], cleaned["tricks_1"]]
        return {"direction": cleaned["direction"], "dealer": cleaned["dealer"], "tricks": tricks}
    hands = []
    for seat in range(len(form.names)):
        hand = {"call": cleaned[f"call_{seat}"], "tricks": cleaned[f"tricks_{seat}"]}
        hands.append({**hand, "forced": True} if cleaned[f"forced_{seat}"] else hand)
    return {"hands": hands}


def form_field(field: str, form: HandsForm | DuelForm) -> str | None:
    """Where the engine's field stands in the form: hands.2.tricks is tricks_2, tricks.1 is tricks_1."""
    if match := _HAND.fullmatch(field):
        field = f"{match[2]}_{match[1]}"
    elif match := _TRICKS.fullmatch(field):
        field = f"tricks_{match[1]}"
    return field if field in form.fields else None


def shown(form: HandsForm | DuelForm) -> frozenset[str]:
    """Every field is always needed."""
    return frozenset()


class HouseRulesForm(forms.Form):
    """What a season of Two Way Street may choose. A valid form's cleaned_data are the engine's options."""

    hand_tricks = OptionField(
        [(10, _("10: ask when the tricks add up to something else")), (None, _("Any number: don't check"))],
        _("Tricks in a hand of three and more players"),
    )
