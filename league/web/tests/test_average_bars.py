"""Geometry of bars beside an average."""

from league.web.average_bars import average_bars


def test_bars_and_averages_share_a_scale() -> None:
    chart = average_bars([(0.5, 0.25), (1.0, None)], maximum=1)
    assert chart.zero == 2
    assert list(chart.bars) == [(2, 78, 41), (2, 156, None)]


def test_a_value_below_zero_goes_left_from_the_middle() -> None:
    chart = average_bars([(-50.0, 50.0), (0.0, 0.0)], minimum=-100, maximum=100)
    assert chart.zero == 80
    assert list(chart.bars) == [(41, 39, 119), (80, 1, 80)]
