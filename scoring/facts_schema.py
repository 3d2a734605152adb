"""The JSON Schema of a game's facts (the JSON of what happened at the table), for programs that send deals.

It is derived from the fields of the game's form. A schema has the names and types of the facts; only the game's rules
check which facts may occur together. Each fact may be null: null means the same as a missing fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from typing import Any, TypeAlias

from django import forms

from scoring.fields import MAX_COUNT, CountField, PointsField, SeatField

Schema: TypeAlias = dict[str, Any]


@singledispatch
def field_schema(field: forms.Field) -> Schema:
    raise TypeError(f"no JSON Schema for {type(field).__name__}")


@field_schema.register
def _(field: PointsField) -> Schema:
    return {"type": ["number", "null"], "multipleOf": 0.5}


@field_schema.register
def _(field: CountField) -> Schema:
    return {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_COUNT}


@field_schema.register
def _(field: forms.BooleanField) -> Schema:
    return {"type": ["boolean", "null"]}


@field_schema.register
def _(field: SeatField) -> Schema:
    """Return the schema of a seat or null. Choices that are not seats, such as "everyone passed", are not part of the
    schema.
    """
    seats = [value for value in _choice_values(field) if isinstance(value, int)]
    return {"type": ["integer", "null"], "minimum": 0, "maximum": max(seats)}


@field_schema.register
def _(field: forms.TypedChoiceField) -> Schema:
    values = [field.coerce(str(value)) for value in _choice_values(field) if value != ""]
    return {"enum": [*values, None]}


@field_schema.register
def _(field: forms.MultipleChoiceField) -> Schema:
    return {"type": ["array", "null"], "items": {"enum": _choice_values(field)}, "uniqueItems": True}


def _choice_values(field: forms.ChoiceField) -> list[Any]:
    choices: Any = field.choices
    return [value for value, _label in choices]


def object_schema(facts: Mapping[str, Schema]) -> Schema:
    return {"type": ["object", "null"], "properties": dict(facts), "additionalProperties": False}


def list_schema(item: Schema, minimum: int, maximum: int) -> Schema:
    return {"type": ["array", "null"], "items": item, "minItems": minimum, "maxItems": maximum}


def nested_schema(fields: Mapping[str, forms.Field]) -> Schema:
    """Return the schema of an object for form fields with flat names. `piles.2.tricks` is a property of each item of
    `piles`.

    A property at the top has the label of its field as title.
    """
    tree: dict[str, Any] = {}
    for name, field in fields.items():
        *outer, last = name.split(".")
        branch = tree
        for part in outer:
            branch = branch.setdefault(part, {})
        branch[last] = field_schema(field) if outer else {"title": str(field.label), **field_schema(field)}
    return {**object_schema({name: _branch_schema(branch) for name, branch in tree.items()}), "type": "object"}


def _branch_schema(branch: dict[str, Any]) -> Schema:
    """Return the schema of a fact. `branch` is this schema, or the branches of the nested facts by name or index."""
    if _is_schema(branch):
        return branch
    children = {name: _branch_schema(child) for name, child in branch.items()}
    if all(name.isdecimal() for name in children):
        return list_schema(children["0"], len(children), len(children))
    return object_schema(children)


def _is_schema(branch: Mapping[str, Any]) -> bool:
    return not all(isinstance(child, dict) for child in branch.values())


def exclude_fields(fields: Mapping[str, forms.Field], names: Iterable[str]) -> dict[str, forms.Field]:
    """Return the fields except those with these names: inputs that are not facts."""
    inputs = set(names)
    return {name: field for name, field in fields.items() if name not in inputs}
