"""The plugin that finds missing variables of templates would else stop checking without a sign."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from tests.template_variables import MissingVariable


def test_a_template_of_ours_without_its_variable_fails() -> None:
    with pytest.raises(MissingVariable, match=r"components/empty\.html, line \d+: \{\{ words \}\}"):
        render_to_string("components/empty.html")


def test_templates_of_libraries_are_not_checked() -> None:
    without_id = {"field": {"help_text": "in whole points"}, "help_text_inline": True}
    assert "in whole points" in render_to_string("bootstrap5/layout/help_text.html", without_id)
