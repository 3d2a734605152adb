"""Pytest plugin: a test fails when a template of the project prints a variable that its context does not have.

Django prints nothing then, so a renamed attribute would only make a number disappear from a page. Conditions and loops
may name what is missing, as in Django. Templates of libraries are not checked.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.template import Node
from django.template.base import FilterExpression
from django.template.defaultfilters import default


class MissingVariable(AssertionError):
    """A template printed a variable that does not exist."""


class StringIfInvalid(str):
    """The value of Django's option `string_if_invalid`: an empty string that checks where a variable is missing.

    Django asks whether it is true before it uses it, and applies filters only if it is false.
    """

    def __bool__(self) -> bool:
        """Return False. Raise MissingVariable in a template of the project, unless the filter `default` is used."""
        frame = inspect.currentframe()
        asking = frame and frame.f_back
        expression = asking and asking.f_locals.get("self")
        if not isinstance(expression, FilterExpression):
            return False
        if any(function is default for function, _arguments in expression.filters):
            return False
        node = _rendered_node(asking)
        if any(Path(node.origin.name).is_relative_to(folder) for folder in _template_settings()["DIRS"]):
            line = node.token.lineno if node.token else "?"
            raise MissingVariable(f"{node.origin.name}, line {line}: {{{{ {expression} }}}}")
        return False


def _template_settings() -> dict[str, Any]:
    """Return the settings of the only template engine."""
    [engine] = settings.TEMPLATES
    return engine


def _rendered_node(frame: FrameType | None) -> Node:
    """Return the innermost node that is being rendered."""
    while frame is not None:
        caller = frame.f_locals.get("self")
        if isinstance(caller, Node):
            return caller
        frame = frame.f_back
    raise LookupError("no template is being rendered")


def pytest_sessionstart() -> None:
    _template_settings()["OPTIONS"]["string_if_invalid"] = StringIfInvalid()
