from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import HouseRule, HouseRuleValue
from scoring.rules.interface import Rules
from scoring.rules.words import format_message


class HouseRulesForm(forms.Form):
    def __init__(self, rules: Rules, *args: Any, sizes: Iterable[int] | None = None, **kwargs: Any) -> None:
        """`sizes` are the table sizes of the season: house rules that apply only to other sizes get no field. None: all
        rules.
        """
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.rule_names = frozenset(rule.name for rule in rules.house_rules)
        applicable = [rule for rule in rules.house_rules if sizes is None or rule.applies_to_any(sizes)]
        self.fields |= {rule.name: OptionField(rule) for rule in applicable}

    def clean(self) -> dict[str, Any]:
        """Add an error if the values, each of them valid, are not allowed together by the game's rules."""
        values = super().clean() or self.cleaned_data
        if self.errors:
            return values
        try:
            self.rules.read_options({name: values[name] for name in values if name in self.rule_names})
        except IllegalDeal as illegal:
            message = format_message(self.rules.words, illegal.code, illegal.params, translate=gettext)
            self.add_error(illegal.field.removeprefix("options."), ValidationError(message, code=illegal.code))
        return values


class OptionField(forms.ChoiceField):
    """A field for one house rule. An empty input means the default. The cleaned value is the value that the engine
    uses.
    """

    def __init__(self, rule: HouseRule) -> None:
        self.sizes = rule.sizes
        self.values = {_form_value(value): value for value in rule.choices}
        super().__init__(
            choices=[(_form_value(value), gettext(words)) for value, words in rule.choices.items()],
            label=gettext(rule.label),
            required=False,
            initial=rule.default,
            widget=forms.RadioSelect(),
        )

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        return self.values[text] if text else self.initial

    def prepare_value(self, value: Any) -> Any:
        return _form_value(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(data) and data != _form_value(initial)


def _form_value(value: HouseRuleValue) -> str:
    return "none" if value is None else str(value)
