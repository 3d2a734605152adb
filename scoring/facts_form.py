"""The form of a deal: what people type for its facts, and where an engine's field stands among the inputs.

An input bears the name of the field that it fills: `contract`, or `piles.2.tricks` for the tricks of the third pile. So
nothing has to say which input belongs to which field, neither for a refusal nor to show recorded facts again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from scoring.field_names import flattened, nearest, nested

# What a page around the form sends by itself: no game's field may bear one of these names.
RESERVED = frozenset(
    {"client_key", "seen_version", "number", "rests", "reason", "confirmed", "shown", "preview", "another"}
)


class FactsForm(forms.Form):
    """A deal's facts as people type them. A game's form adds its fields, and asks for what is needed in `clean`."""

    use_required_attribute = False

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        """`names` are those who play, by the engine's seat. `facts` are shown: a recorded deal's, or what is known."""
        super().__init__(data, initial=self.initial_of(facts) if facts else None)
        self.names = names

    def initial_of(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inputs show of facts."""
        return flattened(facts)

    def facts(self) -> dict[str, Any]:
        """Return a valid form's facts."""
        return nested(self.cleaned_data)

    def input_of(self, field: str) -> str | None:
        """Return the input at which an engine's field stands; None if it concerns the whole form."""
        return nearest(field, self.fields)

    def shown(self) -> frozenset[str]:
        """Return the parts (`data-part`) of the template that the deal needs as it stands."""
        return frozenset()
