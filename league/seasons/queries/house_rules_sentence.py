"""A season's house rules as one sentence, by comparison with the presets of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from scoring.entry import filled_fields
from scoring.game import Game
from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import Preset, Value


def house_rules_sentence(game: Game, house_rules: Mapping[str, Any]) -> str:
    """Return the preset with these rules, or the nearest preset and the differences; "" for a game without presets."""
    rules = game.rules
    try:
        rules.read_options(house_rules)
    except IllegalDeal:
        return ""
    if not rules.presets:
        return ""
    values = [(rule, rule.read(house_rules)) for rule in rules.house_rules]

    def differences(preset: Preset) -> dict[str, Value]:
        return {rule.name: value for rule, value in values if value != rule.read(preset.options)}

    nearest = min(rules.presets, key=lambda preset: len(differences(preset)))
    title = gettext(nearest.title)
    if not differences(nearest):
        return gettext(": ").join((title, gettext(nearest.words)))
    form = game.house_rules_form(initial=differences(nearest))
    for name in form.fields.keys() - differences(nearest).keys():
        del form.fields[name]
    texts = gettext("; ").join(f"{label}{gettext(': ')}{text}" for label, text in filled_fields(form))
    return gettext("Like %(preset)s, except: %(differences)s.") % {"preset": title, "differences": texts}
