"""Two pages of one form, opened before either was saved: the later one changes only what its own sender changed.

A page carries what its fields showed, as Django's hidden initial values do, and `changed_data` compares with that. A
field that somebody else changed meanwhile to another value is refused, and what was typed is kept.

    class ClubForm(FormAgainstLostUpdates, ModelForm): …
    {{ form.shown }}  beside the fields
    actions.change(club, form.changed_data)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.choices import flatten_choices
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


class FormAgainstLostUpdates(forms.BaseForm):
    """A form whose unchanged fields are, once it is clean, what stands now and not what its page showed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._replaced: set[str] = set()  # fields of which the sender reads now what stands
        for name, field in self.fields.items():
            field.show_hidden_initial = name in self.initial and self.add_initial_prefix(name) in self.data

    @property
    def shown(self) -> SafeString:
        """What the fields showed, to be sent with the form."""
        return format_html_join("", "{}", ([self._hidden(name, self._shown(name))] for name in self._compared()))

    def _hidden(self, name: str, value: Any) -> SafeString:
        return self.fields[name].hidden_widget().render(self.add_initial_prefix(name), value)

    def clean(self) -> dict[str, Any]:
        """Keep what stands in fields that the sender left; refuse those that somebody else changed meanwhile."""
        facts: dict[str, Any] = super().clean() or self.cleaned_data
        for name in facts.keys() & set(self._compared()):
            now = self.initial[name]
            if name not in self.changed_data:
                facts[name] = now
            elif facts[name] != now and self.fields[name].has_changed(now, self._shown(name)):
                self._replaced.add(name)
        for field in self.fields.values():
            field.show_hidden_initial = False  # `changed_data` has compared; a field drawn again would show the old one
        for name in sorted(self._replaced):
            words = _("Somebody else changed this meanwhile. Now stands: %(now)s. Save again to replace it.")
            self.add_error(name, words % {"now": self._now(name)})
        return facts

    def _compared(self) -> list[str]:
        return [name for name in self.fields if name in self.initial]

    def _shown(self, name: str) -> Any:
        field, sent = self.fields[name], self.add_initial_prefix(name)
        if name not in self._replaced and sent in self.data:
            return field.hidden_widget().value_from_datadict(self.data, self.files, sent)
        return field.prepare_value(self.initial[name])

    def _now(self, name: str) -> str:
        """Return what stands in a field as people read it. Never a box: of two answers, two changes are the same."""
        field = self.fields[name]
        typed: Any = field.widget.format_value(field.prepare_value(self.initial[name]))
        choices: Iterator[tuple[Any, Any]] = flatten_choices(getattr(field.widget, "choices", ()))
        words = {str(value): said for value, said in choices}
        values = typed if isinstance(typed, list) else [typed]
        return ", ".join(str(words.get(str(value)) or value or "–") for value in values)
