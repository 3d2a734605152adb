"""Functions for flat names of nested facts (JSON of what happened): `piles.2.tricks` is the number of tricks of the
third pile. No Django.
"""

from collections.abc import Container, Mapping
from typing import Any


def nearest_input(field: str, inputs: Container[str]) -> str | None:
    """Return `field` if it is an input, else its nearest parent that is one: `oudlers` for `oudlers.1`. None without
    such a parent.
    """
    while field not in inputs:
        field, dot, _last = field.rpartition(".")
        if not dot:
            return None
    return field


def flatten_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts by flat names, and also each object and list itself: `{"piles": [3]}` becomes
    `{"piles": [3], "piles.0": 3}`.
    """
    values: dict[str, Any] = {}
    queue: list[tuple[str, Any]] = list(facts.items())
    for field, value in queue:
        values[field] = value
        inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
        queue += [(f"{field}.{name}", child) for name, child in inner]
    return values


def nest_facts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the nested facts for values with flat names: `{"piles.0.tricks": 3}` becomes `{"piles": [{"tricks": 3}]}`.

    None and False are left out of objects, because a missing fact has the same meaning.
    """
    tree: dict[str, Any] = {}
    for field, value in values.items():
        *outer, name = field.split(".")
        branch = tree
        for part in outer:
            branch = branch.setdefault(part, {})
        branch[name] = value
    facts: dict[str, Any] = _build_lists(tree)
    return facts


def _build_lists(branch: Any) -> Any:
    """Return the branch with a list for each dict whose keys are all numbers. Leave None and False out of other
    dicts.
    """
    if not isinstance(branch, dict):
        return branch
    children = {name: _build_lists(child) for name, child in branch.items()}
    if children and all(name.isdecimal() for name in children):
        return [children[name] for name in sorted(children, key=int)]
    return {name: child for name, child in children.items() if child is not None and child is not False}
