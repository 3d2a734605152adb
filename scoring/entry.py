"""Read a deal from a game's bound form, score it, and return an entry. Used by the calculator and by pages that record
deals.

    form = game.deal_form(names, request.POST or None)  # to revise: game.deal_form(names, data, facts=recorded)
    entry = read_entry(game, form, names, house_rules)
    if entry is not None and entry.confirmed: ...  # entry.facts can be recorded
    context = entry_context(game, form, entry)  # for a page that includes scoring/_deal_fields.html

This module uses no database and no request; the pages check the user's rights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext

from scoring.facts_form import FactsForm
from scoring.game import Game
from scoring.phrases import Explanation, explain, refusal_text
from scoring.rules.errors import IllegalDeal

UNFINISHED_ERROR_CODES = frozenset({"required", "missing"})  # error codes of fields that are still empty


class BoundDealForm(Protocol):
    """The interface of a bound form of a deal: a game's own form, or a row of short codes."""

    @property
    def data(self) -> Mapping[str, Any]: ...
    def is_valid(self) -> bool: ...
    def facts(self) -> dict[str, Any]: ...
    def input_name_of_fact(self, field: str) -> str | None: ...
    def add_error(self, field: str | None, error: ValidationError | str) -> None: ...
    def __getitem__(self, name: str) -> forms.BoundField: ...


@dataclass(frozen=True)
class Entry:
    """A legal deal: its facts (JSON of what happened at the table), its points, and its warnings as text.

    `fingerprint` is a hash of these warnings; if the warnings change, the page asks the user again. `confirmed` is true
    if there are no warnings, or if the form sent this fingerprint.
    """

    facts: dict[str, Any]
    explanation: Explanation
    warnings: tuple[str, ...]
    fingerprint: str
    confirmed: bool


def read_entry(
    game: Game,
    form: BoundDealForm,
    names: Sequence[str],
    house_rules: Mapping[str, Any],
    earlier: Sequence[object] = (),
    page_warnings: Callable[[], Iterable[str]] = tuple,
    *,
    last: bool = False,
) -> Entry | None:
    """Return the deal of a bound form. If the form is not valid or the deal is not legal, return None; each error is
    then at its field of the form.

    `names` are the players of this deal in the order of their seats from 0, without resting players. `earlier` has the
    facts (JSON of what happened) of the table's previous deals. `last` is true for the table's last deal.
    `page_warnings` returns further warnings of the calling page; it is called only for a legal deal.
    """
    if not form.is_valid():
        return None
    try:
        explanation = explain(game, form.facts(), names, house_rules, earlier, last=last)
    except IllegalDeal as illegal:
        add_refusal(game, form, names, illegal)
        return None
    return make_entry(form, explanation, page_warnings())


def make_entry(form: BoundDealForm, explanation: Explanation, page_warnings: Iterable[str] = ()) -> Entry:
    """Return the entry of a valid form. `explanation` explains the form's deal."""
    warnings = (*(_label_warning(form, *warning) for warning in explanation.warnings), *page_warnings)
    fingerprint = fingerprint_of(warnings)
    confirmed = not warnings or form.data.get("confirmed") == fingerprint
    return Entry(form.facts(), explanation, warnings, fingerprint, confirmed)


def fingerprint_of(warnings: Sequence[str]) -> str:
    return sha256("\n".join(warnings).encode()).hexdigest()[:16] if warnings else ""


def _label_warning(form: BoundDealForm, field: str, text: str) -> str:
    name = form.input_name_of_fact(field)
    return text if name is None else gettext(": ").join((str(form[name].label), text))


def add_refusal(game: Game, form: BoundDealForm, names: Sequence[str], illegal: IllegalDeal) -> None:
    """Add the error of an illegal deal to its field. If an earlier deal is illegal, add an error to the whole form."""
    earlier, _dot, rest = illegal.field.partition(".")
    if earlier == "earlier":
        number = int(rest.partition(".")[0]) + 1
        text = gettext("Deal %(number)s, before this one, can’t be read any more. Correct it first.")
        form.add_error(None, ValidationError(text % {"number": number}, code=illegal.code))
        return
    form.add_error(
        form.input_name_of_fact(illegal.field), ValidationError(refusal_text(game, illegal, names), code=illegal.code)
    )


def entry_context(game: Game, form: FactsForm, entry: Entry | None, *, is_preview: bool = False) -> dict[str, Any]:
    """Return the context of the template `scoring/_deal_fields.html`. Call it after `read_entry`: errors decide the
    visible parts.

    `is_preview`: the form is still being filled in, so missing fields are listed under the preview and not marked as
    errors.
    """
    shown_parts = form.shown_parts()
    return {
        "game": game,
        "form": form,
        "entry": entry,
        "shown_parts": shown_parts,
        "needed": _remove_unfinished_errors(form) if is_preview else [],
        "is_preview": is_preview,
    }


def filled_fields(form: forms.Form) -> list[tuple[str, str]]:
    """Return (label, value as text) of each field that has a value. False, "" and an empty list are no values."""
    return [
        (str(bound.label), _value_text(bound, value))
        for bound in form
        if (value := bound.value()) is not None and value is not False and value != "" and value != []
    ]


def _value_text(bound: forms.BoundField, value: object) -> str:
    if isinstance(bound.field, forms.ChoiceField):
        return ", ".join(str(choice.choice_label) for choice in bound.subwidgets if choice.data["selected"])
    return "✓" if value is True else str(value)


def _remove_unfinished_errors(form: forms.Form) -> list[str]:
    """Remove the errors of fields that are still empty. Return the labels of these fields."""
    labels = []
    for name, errors in list(form.errors.as_data().items()):
        if name != NON_FIELD_ERRORS and all(error.code in UNFINISHED_ERROR_CODES for error in errors):
            labels.append(str(form[name].label))
            del form.errors[name]
    return labels
