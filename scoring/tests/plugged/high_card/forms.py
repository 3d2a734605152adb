"""High card's forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.fields import CountField, OptionField, need


class DealForm(forms.Form):
    """One card a player. `names` are those who play; `facts` are shown again, to revise them."""

    use_required_attribute = False

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        cards = enumerate(facts["cards"]) if facts else ()
        super().__init__(data, initial={f"card_{seat}": card for seat, card in cards})
        for seat, name in enumerate(names):
            self.fields[f"card_{seat}"] = CountField(_("Card of %(name)s") % {"name": name}, help_text=_("1 to 13"))

    def clean(self) -> None:
        """Everyone has a card."""
        need(self, *self.fields)


def facts(form: DealForm) -> dict[str, Any]:
    """A valid form's facts."""
    return {"cards": [form.cleaned_data[name] for name in form.fields]}


def form_field(field: str, form: DealForm) -> str | None:
    """cards.2 is card_2."""
    name = field.replace("cards.", "card_")
    return name if name in form.fields else None


def shown(form: DealForm) -> frozenset[str]:
    """Every field is always needed."""
    return frozenset()


class HouseRulesForm(forms.Form):
    """What a season may choose. A valid form's cleaned_data are the engine's options."""

    ace_beats_all = OptionField([(False, _("The lowest card")), (True, _("The highest card"))], _("The ace is"))
