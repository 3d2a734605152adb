"""The form in which a season's house rules are chosen, made of what the game's rules say of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext

from scoring.rules.house_rules import HouseRule, Value


class HouseRulesForm(forms.Form):
    """A choice for each house rule. A valid form's cleaned_data are the engine's options."""

    def __init__(
        self, house_rules: Sequence[HouseRule], *args: Any, sizes: Iterable[int] | None = None, **kwargs: Any
    ) -> None:
        """With `sizes` only those rules are asked for that say something of tables of these sizes."""
        super().__init__(*args, **kwargs)
        asked = [rule for rule in house_rules if sizes is None or rule.applies(sizes)]
        self.fields |= {rule.name: OptionField(rule) for rule in asked}


class OptionField(forms.ChoiceField):
    """A house rule. Left out it is the default; its value is the engine's: a word, a number, a flag or None."""

    def __init__(self, rule: HouseRule) -> None:
        self.sizes = rule.sizes
        self.values = {_written(value): value for value in rule.choices}
        super().__init__(
            choices=[(_written(value), gettext(words)) for value, words in rule.choices.items()],
            label=gettext(rule.label),
            required=False,
            initial=rule.default,
            widget=forms.RadioSelect(),
        )

    def clean(self, value: Any) -> Any:
        """Return the option's value."""
        chosen = super().clean(value)
        return self.values[chosen] if chosen else self.initial

    def prepare_value(self, value: Any) -> Any:
        """Return an option's value as the form writes it."""
        return _written(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether another value than the one shown first was chosen."""
        return bool(data) and data != _written(initial)


def _written(value: Value) -> str:
    return "none" if value is None else str(value)
