"""The form of a deal's facts. The facts are the JSON of what happened at the table.

An input has the same name as its fact: `contract`, or `piles.2.tricks` for the tricks of the third pile. So neither
errors nor recorded facts need a mapping from facts to inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from scoring.facts_schema import Schema, nested_schema
from scoring.field_names import flatten_facts, nearest_input, nest_facts

# Names of other inputs in the same HTML form: no field of a game may have one of these names.
RESERVED_NAMES = frozenset(
    {"client_key", "seen_version", "number", "rests", "reason", "confirmed", "shown", "preview", "another"}
)


class FactsForm(forms.Form):
    """The base class of forms for the facts (JSON of what happened) of a deal. The form of a game adds fields, and its
    method `clean` checks which of them the deal needs.
    """

    use_required_attribute = False

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        """`names` are the players' names in the order of their seats. `data` is the submitted form. `facts` are the
        recorded facts (JSON of what happened) of a deal, as initial values.
        """
        super().__init__(data, initial=self.initial_for_facts(facts) if facts else None)
        self.names = names

    def initial_for_facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        return flatten_facts(facts)

    def facts(self) -> dict[str, Any]:
        return nest_facts(self.cleaned_data)

    def facts_schema(self) -> Schema:
        """Return the JSON Schema of the facts. A form with inputs that are not facts overrides this method."""
        return nested_schema(self.fields)

    def input_name_of_fact(self, field: str) -> str | None:
        """Return the name of the input for the fact `field` or for its nearest parent, such as `oudlers` for
        `oudlers.1`. None without such an input.
        """
        return nearest_input(field, self.fields)

    def shown_parts(self) -> frozenset[str]:
        """Return the parts of the template (values of `data-part`) that must be visible for this deal."""
        return frozenset()
