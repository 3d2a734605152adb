"""From a game's bound form to a deal that can be recorded. A calculator and the pages that record go the same way.

    form = game.deal_form(names, request.POST or None)     # to revise: game.deal_form(names, data, facts=recorded)
    entry = read_entry(game, form, names, house_rules)
    if entry is not None and entry.confirmed:
        ...                                                # entry.facts can be recorded
    context = entry_context(game, form, entry)             # for a page that includes scoring/_deal_fields.html

Knows no rows and no requests: who may record, and where, the pages know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext

from scoring.facts_form import FactsForm
from scoring.game import Game
from scoring.phrases import Explanation, explain, refusal
from scoring.rules.errors import IllegalDeal

UNFINISHED = frozenset({"required", "missing"})  # error codes of what isn't filled in yet, not wrong


class DealReader(Protocol):
    """A bound form that says a deal: a game's own, or a row of codes."""

    @property
    def data(self) -> Mapping[str, Any]: ...
    def is_valid(self) -> bool: ...
    def facts(self) -> dict[str, Any]: ...
    def input_of(self, field: str) -> str | None: ...
    def add_error(self, field: str | None, error: ValidationError | str) -> None: ...
    def __getitem__(self, name: str) -> forms.BoundField: ...


@dataclass(frozen=True)
class Entry:
    """A legal deal: its facts, what they give, and whether its doubts were confirmed.

    `warnings` are the engine's doubts and the caller's, in words. `fingerprint` names exactly these; a deal whose
    doubts change is asked about again. `confirmed` is true when there are none, or the form sent their fingerprint.
    """

    facts: dict[str, Any]
    explanation: Explanation
    warnings: tuple[str, ...]
    fingerprint: str
    confirmed: bool


def read_entry(
    game: Game,
    form: DealReader,
    names: Sequence[str],
    house_rules: Mapping[str, Any],
    doubts: Iterable[object] = (),
    earlier: Sequence[object] = (),
) -> Entry | None:
    """Return what a bound form says, or None with each error on its field.

    `names` are those who play this deal, by the engine's seat. `doubts` are the caller's own warnings, in words (a deal
    after the table's end, say); they are asked about together with the engine's. `earlier` are the facts of the table's
    deals before this one.
    """
    if not form.is_valid():
        return None
    facts = form.facts()
    try:
        explanation = explain(game, facts, names, house_rules, earlier)
    except IllegalDeal as illegal:
        refuse(game, form, names, illegal)
        return None
    warnings = (*(_on_field(form, doubt.field, doubt.text) for doubt in explanation.warnings), *map(str, doubts))
    fingerprint = _fingerprint(warnings)
    confirmed = not warnings or form.data.get("confirmed") == fingerprint
    return Entry(facts, explanation, warnings, fingerprint, confirmed)


def refuse(game: Game, form: DealReader, names: Sequence[str], illegal: IllegalDeal) -> None:
    """Put the engine's refusal on the form's field; on the form as a whole when no field is to blame."""
    earlier, _dot, rest = illegal.field.partition(".")
    if earlier == "earlier":
        number = int(rest.partition(".")[0]) + 1
        text = gettext("Deal %(number)s, before this one, can’t be read any more. Correct it first.")
        form.add_error(None, ValidationError(text % {"number": number}, code=illegal.code))
        return
    form.add_error(form.input_of(illegal.field), ValidationError(refusal(game, illegal, names), code=illegal.code))


def entry_context(game: Game, form: FactsForm, entry: Entry | None, *, live: bool = False) -> dict[str, Any]:
    """Return what `scoring/_deal_fields.html` needs, and more. Call it after `read_entry`: errors decide what is shown.

    With `live` the form is still being filled in: what is only missing is listed under the preview, not marked wrong.
    """
    shown = form.shown()
    return {
        "game": game,
        "form": form,
        "entry": entry,
        "shown": shown,
        "needed": _still_needed(form) if live else [],
        "live": live,
    }


def told(form: forms.Form) -> list[tuple[str, str]]:
    """Return a form's filled-in fields as words, [(label, value)], to show what can't be changed there."""
    found = []
    for bound in form:
        value = bound.value()
        if value is not None and value is not False and value != "" and value != []:
            found.append((str(bound.label), _in_words(bound, value)))
    return found


def _in_words(bound: forms.BoundField, value: object) -> str:
    if isinstance(bound.field, forms.ChoiceField):
        return ", ".join(str(choice.choice_label) for choice in bound.subwidgets if choice.data["selected"])
    return "✓" if value is True else str(value)


def _still_needed(form: forms.Form) -> list[str]:
    """Take the errors that only say "this is needed" off the form, and return the labels of those fields."""
    labels = []
    for name, errors in list(form.errors.as_data().items()):
        if name != NON_FIELD_ERRORS and all(error.code in UNFINISHED for error in errors):
            labels.append(str(form[name].label))
            del form.errors[name]
    return labels


def _on_field(form: DealReader, field: str, text: str) -> str:
    name = form.input_of(field)
    return text if name is None else gettext(": ").join((str(form[name].label), text))


def _fingerprint(warnings: Sequence[str]) -> str:
    return sha256("\n".join(warnings).encode()).hexdigest()[:16] if warnings else ""
