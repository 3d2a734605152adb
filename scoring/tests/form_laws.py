"""Properties of every game's form. Each game's tests call these checks with facts of their own. Knows no game.

Forms are filled in as a browser does it: what is posted is read out of the rendered template.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from django.http import QueryDict
from django.template.loader import render_to_string

from scoring.entry import Entry, entry_context, read_entry
from scoring.facts_form import RESERVED_NAMES, FactsForm
from scoring.game import Game
from scoring.house_rules_form import OptionField
from scoring.rulebook import numbered_players
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules


class Controls(HTMLParser):
    """The names of a page's controls, what a browser would post of them, and its ids."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.posted: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.hidden: set[str] = set()
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        name, value = attributes.get("name") or "", attributes.get("value") or ""
        if identity := attributes.get("id"):
            self.ids.append(identity)
            if "hidden" in attributes:
                self.hidden.add(identity)
        if tag == "input":
            self.names.add(name)
            if attributes.get("type") not in ("radio", "checkbox") or "checked" in attributes:
                self.posted.append((name, value or ("on" if attributes.get("type") == "checkbox" else "")))
        elif tag == "select":
            self.names.add(name)
            self._select = name
        elif tag == "option" and "selected" in attributes:
            self.posted.append((self._select, value))


def shown_form(game: Game, form: FactsForm, entry: Entry | None = None) -> Controls:
    """Return the form as the page shows it."""
    return Controls(render_to_string("scoring/_deal_fields.html", entry_context(game, form, entry)))


def sent(game: Game, form: FactsForm, **typed: str) -> QueryDict:
    """Return what a browser posts of the form, after typing over some of it."""
    data = QueryDict(mutable=True)
    for name, value in shown_form(game, form).posted:
        data.appendlist(name, value)
    for name, value in typed.items():
        data[name] = value
    return data


def entered(game: Game, seats: int, typed: Mapping[str, Any], **house_rules: object) -> tuple[FactsForm, Entry | None]:
    """Return an empty form filled in with `typed`, and its entry."""
    data = QueryDict(mutable=True)
    for name, value in typed.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    form = game.with_house_rules(house_rules).deal_form(numbered_players(seats), data)
    return form, read_entry(game, form, numbered_players(seats), house_rules)


def check_round_trip(game: Game, seats: int, facts: Mapping[str, Any], options: Mapping[str, Any]) -> Entry:
    """Facts shown in the form and sent back unchanged are read as the same deal, also if left-out facts are null."""
    game = game.with_house_rules(options)
    filled = with_nulls(game.rules, seats, facts)
    if filled != facts:
        _check_same_facts(game, seats, filled, options)
    return _check_same_facts(game, seats, facts, options)


def _check_same_facts(game: Game, seats: int, facts: Mapping[str, Any], options: Mapping[str, Any]) -> Entry:
    names = numbered_players(seats)
    bound_form = game.deal_form(names, sent(game, game.deal_form(names, facts=facts)), facts=facts)
    entry = read_entry(game, bound_form, names, options)
    assert entry is not None, (facts, bound_form.errors.as_data())
    assert game.rules.read(seats, entry.facts) == game.rules.read(seats, facts), facts
    return entry


def with_nulls(rules: Rules, seats: int, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same deal, with null for each fact that is left out."""
    deal, filled = rules.read(seats, facts), copy.deepcopy(dict(facts))
    for values in _objects(filled):
        for name in _allowed(rules, seats, filled, values):
            if name not in values:
                values[name] = None
                try:
                    same = rules.read(seats, filled) == deal
                except IllegalDeal:
                    same = False
                if not same:
                    del values[name]
    return filled


def _objects(value: Any) -> list[dict[str, Any]]:
    """Return the value and the values in it that are objects."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [
        *([value] if isinstance(value, dict) else []),
        *(grandchild for child in inner for grandchild in _objects(child)),
    ]


def _allowed(rules: Rules, seats: int, facts: Mapping[str, Any], values: dict[str, Any]) -> list[str]:
    """Return the names that one of the objects of `facts` may have: a refusal of any other name lists them."""
    values["?"] = None
    try:
        rules.read(seats, facts)
    except IllegalDeal as illegal:
        return str(illegal.params["allowed"]).split(", ") if illegal.code == "unknown_key" else []
    finally:
        del values["?"]
    return []


def check_template(game: Game, seats: int) -> None:
    """Every field of the form has its control, no id is there twice, and every part exists."""
    form = game.deal_form(numbered_players(seats))
    assert not RESERVED_NAMES & set(form.fields)
    controls = shown_form(game, form)
    lacking = {bound.html_name for bound in form} - controls.names
    assert not lacking, f"{game.template} lacks the fields {sorted(lacking)}"
    assert len(controls.ids) == len(set(controls.ids))
    parts = {identity.removeprefix("part-") for identity in controls.ids if identity.startswith("part-")}
    assert parts >= form.shown_parts()


def check_house_rules(game: Game) -> None:
    """The form's choices are the engine's: untouched it gives the defaults, and every choice and preset is accepted."""
    rules, empty = game.rules, game.house_rules_form()
    for preset in rules.presets:
        initial = {rule.name: rule.default for rule in rules.house_rules} | dict(preset.options)
        filled = game.house_rules_form(
            {name: str(field.prepare_value(initial[name])) for name, field in empty.fields.items()}
        )
        assert filled.is_valid()
        assert rules.read_options(filled.cleaned_data) == rules.read_options(preset.options)
        assert rules.preset_of(rules.read_options(preset.options)) == preset
    untouched = game.house_rules_form({})
    assert untouched.is_valid()
    assert rules.read_options(untouched.cleaned_data) == rules.read_options({})
    for name, field in untouched.fields.items():
        assert isinstance(field, OptionField)
        for option_text, value in field.values.items():
            form = game.house_rules_form({name: option_text})
            assert form.is_valid()
            assert getattr(rules.read_options(form.cleaned_data), name) == value
            initial_form = game.house_rules_form(initial=form.cleaned_data)
            assert str(initial_form[name].value()) == option_text
