"""The form for a deal of contrée, made for few taps on a phone. Fields that the deal or the house rules do not need are
hidden.

If one side won every trick, the points and the last trick follow from that, and their fields are hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.facts_form import FactsForm
from scoring.facts_schema import Schema, exclude_fields, nested_schema
from scoring.fields import Choices, CountField, RadioChoiceField, SeatField, require_fields, translated_choices
from scoring.games.contree.options import Options
from scoring.games.contree.rules import CARD_POINTS, CONTRACT_POINTS, SIDES
from scoring.games.contree.words import TRUMP_NAMES

CONTRACT_CHOICES: Choices = [
    *((number, str(number)) for number in CONTRACT_POINTS),
    ("capot", _("Capot")),
    ("generale", _("Générale")),
]
SIDE_CHOICES: Choices = [("attack", _("taker's side")), ("defence", _("defence"))]
NO_ONE: Choices = [("", _("no one"))]
DOUBLE_CHOICES: Choices = [
    ("", _("not doubled")),
    ("double", pgettext_lazy("contract", "doubled")),
    ("redouble", pgettext_lazy("contract", "redoubled")),
]
PASSED_CHOICE = "passed"
FACTS_BY_SIDE = ("belotes", "announcements")  # facts with a value for each side


class DealForm(FactsForm):
    contract = RadioChoiceField(
        CONTRACT_CHOICES, _("Contract"), coerce=lambda value: int(value) if value.isdecimal() else value
    )
    trump = RadioChoiceField(translated_choices(TRUMP_NAMES), _("Trump"))
    double = RadioChoiceField(DOUBLE_CHOICES, _("Double"))
    all_tricks = RadioChoiceField([*NO_ONE, *SIDE_CHOICES, ("taker", _("the taker alone"))], _("Every trick won by"))
    points = CountField(
        _("Card points of the taker's side"), help_text=_("0 to 152, without the ten of the last trick.")
    )
    last_trick = RadioChoiceField(SIDE_CHOICES, _("Last trick won by"))
    belote = RadioChoiceField([*NO_ONE, *SIDE_CHOICES], _("Belote and rebelote declared by"))

    def __init__(
        self,
        names: Sequence[str],
        data: Mapping[str, Any] | None = None,
        facts: Mapping[str, Any] | None = None,
        options: Options | None = None,
    ) -> None:
        """`names` are the players by seat. `facts` are the recorded facts (JSON of what happened) of a deal, as initial
        values.

        `options` are the house rules: they decide whether the form has fields for belotes and announcements. If `facts`
        has belotes or announcements, their fields are shown in any case.
        """
        super().__init__(names, data, facts)
        options = options or Options()
        self.asks_belotes = options.scoring != "contract" or options.belote_helps or options.must_beat_defence
        self.asks_announcements = options.announcements
        if facts:
            self.asks_belotes |= any((facts.get("belotes") or {}).values())
            self.asks_announcements |= any((facts.get("announcements") or {}).values())
        self.fields["taker"] = SeatField(names, _("Taker"), extra_choices=[(PASSED_CHOICE, _("everyone passed"))])
        self.fields |= {
            "belotes.attack": CountField(_("Belotes of the taker's side")),
            "belotes.defence": CountField(_("Belotes of the defence")),
            "announcements.attack": CountField(
                _("Announcements of the taker's side"), help_text=_("The points that count, such as 20 or 50.")
            ),
            "announcements.defence": CountField(_("Announcements of the defence")),
        }
        self.order_fields(["taker"])

    def clean(self) -> None:
        require_fields(self, "taker")
        if self.cleaned_data.get("taker") == PASSED_CHOICE:
            return
        require_fields(self, "contract", "trump")
        if not self.cleaned_data.get("all_tricks"):
            require_fields(self, "points", "last_trick")

    def initial_for_facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        belotes = facts.get("belotes") or {}
        declaring = next((side for side in SIDES if belotes.get(side)), None)
        return {
            **super().initial_for_facts(facts),
            "taker": PASSED_CHOICE if facts["taker"] is None else facts["taker"],
            "belote": declaring,
        }

    def facts(self) -> dict[str, Any]:
        values = dict(self.cleaned_data)
        if values["taker"] == PASSED_CHOICE:
            return {"taker": None}
        facts = {name: value for name, value in values.items() if not name.startswith(("belote", "announcements"))}
        if values["all_tricks"]:
            side = "defence" if values["all_tricks"] == "defence" else "attack"
            facts |= {"points": CARD_POINTS if side == "attack" else 0, "last_trick": side}
        parts = self.shown_parts()
        if "belotes" in parts:
            facts["belotes"] = self._values_by_side("belotes")
        elif "belote" in parts and values["belote"]:
            facts["belotes"] = {values["belote"]: 1}
        if "announcements" in parts:
            facts["announcements"] = self._values_by_side("announcements")
        return {name: value for name, value in facts.items() if value is not None and value != {}}

    def facts_schema(self) -> Schema:
        return nested_schema(exclude_fields(self.fields, ["belote"]))

    def _values_by_side(self, name: str) -> dict[str, int]:
        return {side: value for side in SIDES if (value := self.cleaned_data[f"{name}.{side}"]) is not None}

    def input_name_of_fact(self, field: str) -> str | None:
        if field in FACTS_BY_SIDE:
            return "belote" if field == "belotes" and "belote" in self.shown_parts() else f"{field}.attack"
        if field.startswith("belotes.") and "belote" in self.shown_parts():
            return "belote"
        return super().input_name_of_fact(field)

    def shown_parts(self) -> frozenset[str]:
        if self["taker"].value() == PASSED_CHOICE:
            return frozenset()
        parts = {"deal"}
        if not self["all_tricks"].value():
            parts.add("result")
        trump = self["trump"].value()
        if self.asks_belotes and trump != "no_trump":
            parts.add("belotes" if trump == "all_trumps" else "belote")
        if self.asks_announcements:
            parts.add("announcements")
        return frozenset(parts)

    def belote_fields(self) -> list[forms.BoundField]:
        return [self[f"belotes.{side}"] for side in SIDES]

    def announcement_fields(self) -> list[forms.BoundField]:
        return [self[f"announcements.{side}"] for side in SIDES]
