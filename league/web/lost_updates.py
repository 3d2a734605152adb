"""Prevent lost updates if two users have the same form open: store only the fields that the user changed.

The page contains the initial values in hidden fields, like Django's hidden initial values. `changed_data` compares with
them. If another user has changed the same field to another value, the field gets an error, and the typed value stays.

    class ClubForm(FormAgainstLostUpdates, ModelForm): …
    {{ form.initial_values }} with the fields
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
    """Mixin for forms: fields that the user did not change get the current value of the database when the form is
    cleaned.

    A field that two users changed to different values gets an error.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._replaced: set[str] = set()  # fields whose current value is shown now
        for name, field in self.fields.items():
            field.show_hidden_initial = name in self.initial and self.add_initial_prefix(name) in self.data

    @property
    def initial_values(self) -> SafeString:
        """Return the hidden fields with the initial values, as HTML."""
        fields = (
            [self.fields[name].hidden_widget().render(self.add_initial_prefix(name), self._shown_value(name))]
            for name in self._compared_fields()
        )
        return format_html_join("", "{}", fields)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name in values.keys() & set(self._compared_fields()):
            current = self.initial[name]
            if name not in self.changed_data:
                values[name] = current
            elif values[name] != current and self.fields[name].has_changed(current, self._shown_value(name)):
                self._replaced.add(name)
        for field in self.fields.values():
            field.show_hidden_initial = False  # `changed_data` is cached; a page shown again needs current values
        for name in sorted(self._replaced):
            words = _("Somebody else changed this meanwhile. Now stands: %(now)s. Save again to replace it.")
            self.add_error(name, words % {"now": self._current_value(name)})
        return values

    def _compared_fields(self) -> list[str]:
        return [name for name in self.fields if name in self.initial]

    def _shown_value(self, name: str) -> Any:
        field, sent = self.fields[name], self.add_initial_prefix(name)
        if name not in self._replaced and sent in self.data:
            return field.hidden_widget().value_from_datadict(self.data, self.files, sent)
        return field.prepare_value(self.initial[name])

    def _current_value(self, name: str) -> str:
        """Return the database's value as text, for an error message.

        Checkboxes never need it: two users who change a checkbox give it the same value.
        """
        field = self.fields[name]
        typed: Any = field.widget.format_value(field.prepare_value(self.initial[name]))
        choices: Iterator[tuple[Any, Any]] = flatten_choices(getattr(field.widget, "choices", ()))
        words = {str(value): label for value, label in choices}
        values = typed if isinstance(typed, list) else [typed]
        return ", ".join(str(words.get(str(value)) or value or "–") for value in values)
