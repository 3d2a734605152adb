"""The names of the engine's fields, and facts by them: `piles.2.tricks` is the tricks of the third pile. Pure."""

from collections.abc import Container, Mapping
from typing import Any


def nearest(field: str, inputs: Container[str]) -> str | None:
    """Return the field itself, or the nearest around it, that has an input: `oudlers` for `oudlers.1`."""
    while field not in inputs:
        field, dot, _last = field.rpartition(".")
        if not dot:
            return None
    return field


def flattened(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return every value of facts by its field, lists and objects themselves among them."""
    found: dict[str, Any] = {}
    waiting: list[tuple[str, Any]] = list(facts.items())
    for field, value in waiting:
        found[field] = value
        inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
        waiting += [(f"{field}.{name}", each) for name, each in inner]
    return found


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of values by field. In an object None and False are left out, which means the same."""
    tree: dict[str, Any] = {}
    for field, value in values.items():
        *outer, name = field.split(".")
        branch = tree
        for part in outer:
            branch = branch.setdefault(part, {})
        branch[name] = value
    facts: dict[str, Any] = _grown(tree)
    return facts


def _grown(branch: Any) -> Any:
    if not isinstance(branch, dict):
        return branch
    grown = {name: _grown(each) for name, each in branch.items()}
    if grown and all(name.isdecimal() for name in grown):
        return [grown[name] for name in sorted(grown, key=int)]
    return {name: each for name, each in grown.items() if each is not None and each is not False}
