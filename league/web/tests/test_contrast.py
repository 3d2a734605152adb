"""The contrast of two colours, by numbers that others publish."""

import re
from pathlib import Path

import pytest

from league.web.contrast import MIN_READABLE_CONTRAST, contrast

CSS = Path(__file__).parents[3] / "static/css"


@pytest.mark.parametrize(
    ("colour", "background", "expected"),
    [
        ("#000000", "#ffffff", 21),
        ("#ffffff", "#ffffff", 1),
        ("#777777", "#ffffff", 4.48),  # W3C's own example of a grey that just misses
        ("#767676", "#ffffff", 4.54),
        ("#0000ff", "#ffffff", 8.59),
    ],
)
def test_contrast_is_that_of_wcag(colour: str, background: str, expected: float) -> None:
    assert contrast(colour, background) == pytest.approx(expected, abs=0.005)
    assert contrast(background, colour) == contrast(colour, background)


def test_text_on_the_bar_is_readable_in_both_looks() -> None:
    for name in ("tokens.css", "dark.css"):
        colours = dict(re.findall(r"--(bar|on-bar): (#[0-9a-f]{6});", (CSS / name).read_text(encoding="utf-8")))
        assert contrast(colours["bar"], colours["on-bar"]) >= MIN_READABLE_CONTRAST
