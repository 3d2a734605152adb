"""High card's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.facts_form import FactsForm
from scoring.fields import CountField, need


class DealForm(FactsForm):
    """One card a player."""

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        for seat, name in enumerate(names):
            self.fields[f"cards.{seat}"] = CountField(_("Card of %(name)s") % {"name": name}, help_text=_("1 to 13"))

    def clean(self) -> None:
        """Everyone has a card."""
        need(self, *self.fields)
