"""Geometry of the bars of a player's last evenings."""

from league.web.recent_evenings_chart import BOTTOM, TOP, recent_evenings_chart


def test_bars_begin_at_a_zero_and_losses_go_down() -> None:
    chart = recent_evenings_chart([90.0, -30.0, None, 0.0])
    won, lost, absent, level = chart.columns
    assert (won.y, won.y + won.height) == (TOP, chart.zero)
    assert lost.y == chart.zero
    assert abs(lost.height - won.height / 3) <= 1
    assert lost.label > lost.y + lost.height
    assert absent.height == 0
    assert level.height == 1  # a line: the player attended


def test_without_a_loss_zero_is_at_the_bottom() -> None:
    chart = recent_evenings_chart([4.0, 2.0])
    assert chart.zero == BOTTOM
    assert recent_evenings_chart([]).columns == ()
