"""Amounts as people type them."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from league.web.fields import MAX_CENTS, MoneyField


@pytest.mark.parametrize(
    ("typed", "cents"),
    [("3,50", 350), ("3.50", 350), ("3,5", 350), ("3", 300), ("", 0), ("0", 0), (" 1 000,00 ", 100000), ("0,05", 5)],
)
def test_both_points_and_commas_are_read(typed: str, cents: int) -> None:
    assert MoneyField(required=False).clean(typed) == cents


@pytest.mark.parametrize("typed", ["-3", "3,555", "1.000,50", "three", "3,", "3€", "1e3", "٣x", "9" * 5000])
def test_what_is_no_amount_is_refused(typed: str) -> None:
    with pytest.raises(ValidationError, match="amount such as"):
        MoneyField(required=False).clean(typed)


def test_a_fee_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValidationError, match="more than"):
        MoneyField(required=False).clean("1000000000")


@given(st.integers(0, MAX_CENTS), st.sampled_from(["en-gb", "fr"]))
def test_what_is_shown_is_read_again(cents: int, language: str) -> None:
    with translation.override(language):
        field = MoneyField(required=False)
        assert field.clean(field.prepare_value(cents)) == cents


def test_what_was_typed_wrong_is_kept() -> None:
    assert MoneyField().prepare_value("three") == "three"
