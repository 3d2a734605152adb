"""Marks next to names and ranks, and their words for screen readers."""

import pytest

from league.web.line_chart import SPARK_EDGE, SPARK_HEIGHT, SPARK_WIDTH, sparkline
from league.web.marks import band_svg, initials, medal, ordinal, rank_arrow


@pytest.mark.parametrize(
    ("rank", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (21, "21st"), (112, "112th")]
)
def test_places_as_they_are_said(rank: int, text: str) -> None:
    assert ordinal(rank) == text


def test_a_move_is_shown_and_said() -> None:
    assert "▲3" in rank_arrow(2, 5)
    assert "up 3" in rank_arrow(2, 5)
    assert "▼1" in rank_arrow(3, 2)
    assert "down 1" in rank_arrow(3, 2)
    assert "same" in rank_arrow(3, 3)
    assert "new" in rank_arrow(3, None)
    assert rank_arrow(None, 3) == ""


def test_only_three_have_medals() -> None:
    assert "medal-3" in medal(3)
    assert [medal(4), medal(None)] == ["4", "–"]


def test_initials_are_the_first_and_the_last_and_escaped() -> None:
    assert ">ÉR<" in initials("Élodie de la Roche")
    assert ">A<" in initials("ann")
    assert "&lt;" in initials("<b>")


def test_a_line_goes_from_the_least_to_the_greatest() -> None:
    line = sparkline([1000.0, 1010.0, 990.0])
    assert line
    assert [point.x for point in line.points] == [SPARK_EDGE, SPARK_WIDTH / 2, SPARK_WIDTH - SPARK_EDGE]
    assert [point.y for point in line.points] == [SPARK_HEIGHT / 2, SPARK_EDGE, SPARK_HEIGHT - SPARK_EDGE]
    assert sparkline([1000.0]) is None
    flat = sparkline([5.0, 5.0])
    assert flat
    assert flat.last.y == SPARK_HEIGHT / 2


def test_bands_share_their_axis_and_survive_a_single_value() -> None:
    drawn = band_svg(0, 50, 100, (0, 200))
    assert 'd="M4 7H70' in drawn
    assert 'cx="37"' in drawn
    assert 'cx="4"' in band_svg(5, 5, 5, (5, 5))
