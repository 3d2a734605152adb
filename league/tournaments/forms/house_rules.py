"""Form for the house rules of a tournament: a preset of the game, and exceptions from this preset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.seasons.queries.house_rules_sentence import nearest_preset
from league.web.lost_updates import FormAgainstLostUpdates
from scoring.game import Game
from scoring.house_rules_form import HouseRulesForm, OptionField
from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import HouseRule, Preset
from scoring.rules.words import format_message

PRESET_FIELD: Final = "preset"
AS_PRESET: Final = ""  # the value of a rule that is not an exception


class ExceptionField(OptionField):
    """Form field for a house rule that may differ from the preset of the game.

    The first choice, with the text `as_preset`, is the preset's value.
    """

    def __init__(self, rule: HouseRule, as_preset: str) -> None:
        super().__init__(rule)
        texts = [(str(self.prepare_value(value)), gettext(words)) for value, words in rule.choices.items()]
        self.choices = [(AS_PRESET, as_preset), *texts]

    def clean(self, value: Any) -> Any:
        text = forms.ChoiceField.clean(self, value)
        return self.values[text] if text else AS_PRESET

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool((data or AS_PRESET) != self.prepare_value(initial))


class HouseRulesPresetField(forms.ChoiceField):
    """Form field for one of the game's presets of house rules. A request without this field changes nothing."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(data) and data != initial


class _RulesForm(HouseRulesForm):
    def __init__(self, game: Game, house_rules: Mapping[str, Any], *args: Any, **kwargs: Any) -> None:
        preset, exceptions = nearest_preset(game.rules, house_rules)
        initial = {PRESET_FIELD: preset.name} | {
            rule.name: exceptions.get(rule.name, AS_PRESET) for rule in game.rules.house_rules
        }
        super().__init__(game.rules, *args, initial=initial, **kwargs)
        self.game = game
        self.presets = {preset.name: preset for preset in game.rules.presets or [preset]}
        choices = [(name, _preset_label(preset)) for name, preset in self.presets.items()]
        as_preset = gettext("As chosen above") if len(self.presets) > 1 else gettext("As printed")
        rules = {rule.name: ExceptionField(rule, as_preset) for rule in game.rules.house_rules}
        preset_field = HouseRulesPresetField(
            label=_("House rules"), choices=choices, required=False, widget=forms.RadioSelect()
        )
        self.fields = {PRESET_FIELD: preset_field, **rules}

    def clean(self) -> dict[str, Any]:
        """Refuse house rules that the game does not allow together."""
        values = forms.Form.clean(self) or self.cleaned_data
        if not self.errors:
            try:
                self.rules.read_options(self._combine_house_rules(values))
            except IllegalDeal as illegal:
                message = format_message(self.rules.words, illegal.code, illegal.params, translate=gettext)
                self.add_error(illegal.field.removeprefix("options."), ValidationError(message, code=illegal.code))
        return values

    def _combine_house_rules(self, values: Mapping[str, Any]) -> dict[str, Any]:
        preset = self.presets[values[PRESET_FIELD] or self.initial[PRESET_FIELD]]
        exceptions = {name: values[name] for name in self.rule_names if values[name] != AS_PRESET}
        return {**preset.options, **exceptions}


class TournamentRulesForm(FormAgainstLostUpdates, _RulesForm):
    """Form for the house rules of one game in a tournament."""

    @property
    def house_rules(self) -> dict[str, Any]:
        """The chosen house rules. Read them only if the form is valid."""
        return self._combine_house_rules(self.cleaned_data)

    @property
    def preset_field(self) -> forms.BoundField | None:
        """The field for the preset; None if the game has only one preset."""
        return self[PRESET_FIELD] if len(self.presets) > 1 else None

    @property
    def exception_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name != PRESET_FIELD]

    @property
    def has_exceptions(self) -> bool:
        """Whether a rule differs from the preset or has an error. The page then shows the fields of all rules."""
        return any(field.errors or field.value() not in (AS_PRESET, None) for field in self.exception_fields)


def _preset_label(preset: Preset) -> str:
    return gettext(": ").join(gettext(words) for words in (preset.title, preset.words) if words)
