"""Template tag for one list of all errors of a page's forms, with a link to each input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django import template
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm, BoundField
from django.utils.translation import gettext as _

register = template.Library()


class ErrorLink(NamedTuple):
    """An error of a form, with the label of its field, and the input that it links to."""

    text: str
    target: str  # the HTML id of the input; "" for an error of the whole form or of a hidden field


@register.simple_tag
def error_links(*forms: BaseForm | None) -> list[ErrorLink]:
    """Return the errors of all forms that are not None, in the order of their fields."""
    return [link for form in forms if form is not None for link in _error_links(form)]


def _error_links(form: BaseForm) -> Iterator[ErrorLink]:
    for name in (NON_FIELD_ERRORS, *form.fields):
        for error in form.errors.get(name, ()):
            if name == NON_FIELD_ERRORS:
                yield ErrorLink(str(error), "")
            else:
                field = form[name]
                yield ErrorLink(_(": ").join((str(field.label), str(error))), _input_id(field))


def _input_id(field: BoundField) -> str:
    """Return the HTML id of the input; of radio buttons, the id of the first button."""
    if field.is_hidden:
        return ""
    return field.id_for_label or f"{field.auto_id}_0"
