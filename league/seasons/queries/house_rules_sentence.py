"""A season's house rules as one sentence, by comparison with the presets of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext

from scoring.entry import filled_fields
from scoring.game import Game
from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import HouseRuleValue, Preset
from scoring.rules.interface import Rules
from scoring.rules.words import gettext_noop

PRINTED_RULES: Final = Preset("printed", gettext_noop("The rules as printed"), "", {})  # for a game without presets


def nearest_preset(rules: Rules, house_rules: Mapping[str, Any]) -> tuple[Preset, dict[str, HouseRuleValue]]:
    """Return the preset that is nearest to these house rules, and {name: value} of the house rules that differ from it.

    Raise IllegalDeal if a value is invalid.
    """
    values = [(rule, rule.read(house_rules)) for rule in rules.house_rules]
    differences = [
        (preset, {rule.name: value for rule, value in values if value != rule.read(preset.options)})
        for preset in rules.presets or [PRINTED_RULES]
    ]
    return min(differences, key=lambda row: len(row[1]))


def house_rules_sentence(game: Game, house_rules: Mapping[str, Any]) -> str:
    """Return the house rules as text: name and description of their preset, or the nearest preset and the differences.

    Return "" for a game without presets, and for invalid rules.
    """
    rules = game.rules
    try:
        rules.read_options(house_rules)
    except IllegalDeal:
        return ""
    if not rules.presets:
        return ""
    nearest, differences = nearest_preset(rules, house_rules)
    title = gettext(nearest.title)
    if not differences:
        return gettext(": ").join((title, gettext(nearest.words)))
    form = game.house_rules_form(initial=differences)
    for name in form.fields.keys() - differences.keys():
        del form.fields[name]
    texts = gettext("; ").join(f"{label}{gettext(': ')}{text}" for label, text in filled_fields(form))
    return gettext("Like %(preset)s, except: %(differences)s.") % {"preset": title, "differences": texts}
