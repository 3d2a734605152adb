"""Numbers as pages show them."""

import pytest
from django.template import Context, Template
from django.utils import translation

from scoring.numbers import localise, number_text, points, signed_points


@pytest.mark.parametrize(
    ("language", "value", "places", "text"),
    [
        ("en", 1012.5, None, "1,012.5"),
        ("fr", 1012.5, None, "1\N{NO-BREAK SPACE}012,5"),
        ("en", -7, None, "−7"),
        ("fr", 3, 2, "3,00"),
    ],
)
def test_marks_are_the_languages(language: str, value: float, places: int | None, text: str) -> None:
    with translation.override(language):
        assert localise(value, places) == text


def test_whole_numbers_have_no_decimals() -> None:
    assert [number_text(value) for value in (4.0, 4, 43.5, -7.0, 0.0)] == ["4", "4", "43.5", "−7", "0"]


def test_a_loss_is_told_by_its_sign_and_its_class() -> None:
    assert points(-27) == '<data class="points points-minus" value="-27">−27</data>'
    assert points(81) == '<data class="points points-plus" value="81">81</data>'
    assert points(0) == '<data class="points" value="0">0</data>'


def test_what_a_deal_gave_always_has_its_sign() -> None:
    assert signed_points(81) == '<data class="points points-plus" value="81">+81</data>'
    assert signed_points(-27) == points(-27)
    assert signed_points(0) == points(0)


def test_no_number_is_a_dash() -> None:
    assert (points(None), signed_points(None)) == ("–", "–")


def test_what_is_kept_for_one_language_is_not_shown_in_another() -> None:
    text = []
    for language in ("en", "fr", "en"):
        with translation.override(language):
            text.append(points(12_000))
    assert text[0] == text[2] != text[1]
    assert "12,000" in str(text[0])


def test_templates_have_both_filters() -> None:
    template = Template("{% load points %}{{ total|points }} {{ given|signed }}")
    assert template.render(Context({"total": 3, "given": 3})) == f"{points(3)} {signed_points(3)}"
