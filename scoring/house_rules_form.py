"""The form in which a season's house rules are chosen, made of what the game's rules say of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext

from scoring.rules.house_rules import HouseRule, Value


class HouseRulesForm(forms.Form):
    """A choice for each house rule. A valid form's cleaned_data are the engine's options."""

    def __init__(self, house_rules: Sequence[HouseRule], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {rule.name: OptionField(rule) for rule in house_rules}


class OptionField(forms.ChoiceField):
    """A house rule. Left out it is the default; its value is the engine's: a word, a number, a flag or None."""

    def __init__(self, rule: HouseRule) -> None:
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
