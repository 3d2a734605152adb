"""Geometry of the small charts."""

from league.web.charts import (
    EveningOutcome,
    SlopeLine,
    horizontal_bars,
    number_line,
    rank_chart,
    recent_evening_bars,
    round_bars,
    score_chart,
    seat_positions,
    slope_chart,
    waterfall_bars,
)


def test_recent_evening_bars_are_scaled_between_the_lowest_and_the_highest_value() -> None:
    results = [(EveningOutcome.COUNTED, -27.0), (EveningOutcome.WON, 81.0), (EveningOutcome.ABSENT, None)]
    bars = recent_evening_bars(results, [False, False, False])
    assert bars.paths == {
        EveningOutcome.COUNTED: "M2 15h6v5h-6z",
        EveningOutcome.WON: "M11 2h6v18h-6z",
        EveningOutcome.ABSENT: "M20 14h6v6h-6z",
    }
    assert (bars.width, bars.height, bars.won, bars.strikes) == (29, 22, 1, "")


def test_a_dropped_bar_is_struck() -> None:
    bars = recent_evening_bars([(EveningOutcome.DROPPED, 5.0), (EveningOutcome.COUNTED, 5.0)], [True, False])
    assert bars.strikes.count("M") == 1


def test_without_an_evening_there_are_no_bars() -> None:
    assert recent_evening_bars([], []).paths == {}


def test_rank_lines_have_a_lane_for_each_place() -> None:
    chart = rank_chart([[1, 2], [2, 1]], [2, 1], top=10, own_player=None)
    assert (chart.lanes, chart.height, chart.has_lower_lane) == (2, 56, False)
    assert [line.path for line in chart.lines] == ["M250 42L750 14", "M250 14L750 42"]


def test_lower_ranks_share_a_lane_along_which_only_the_own_line_runs() -> None:
    orders = [[1, 2, 3, 4], [1, 2, 4, 3], [3, 1, 2, 4]]
    chart = rank_chart(orders, [3, 1, 4], top=2, own_player=4)
    assert (chart.lanes, chart.has_lower_lane) == (3, True)
    third, _first, own = chart.lines
    assert third.path == "M167 70M500 70L833 14"  # it enters the lanes at the end only
    assert third.dots == "M833 14h0"
    assert own.path == "M167 70L500 70L833 70"


def test_a_player_without_a_rank_has_no_point() -> None:
    [late, _first] = rank_chart([[2], [1, 2]], [1, 2], top=10, own_player=None).lines
    assert late.path == "M750 14"


def test_bars_begin_at_a_zero_that_all_rows_share() -> None:
    bars = horizontal_bars([50, -50, 0])
    assert (bars.zero, bars.width) == (80, 160)
    assert list(bars.bars) == [(80, 79), (1, 79), (80, 1)]
    assert horizontal_bars([25, 18]).zero == 1


def test_a_number_line_has_the_neighbours_at_its_ends() -> None:
    assert number_line(10, 13, 22)[:3] == (14, 107, 386)  # a quarter of the way
    assert number_line(None, 13, 22)[:3] == (None, 14, 386)
    assert number_line(10, 13, None)[:3] == (14, 386, None)
    assert number_line(5, 5, 5)[:3] == (14, 200, 386)


def test_a_waterfall_adds_up_to_its_last_bar() -> None:
    # +50 and +28 of 78: half of the way is at 50 / 78 of 158.
    assert waterfall_bars([50, 28]).bars == ((1, 101), (102, 57), (1, 158))
    # Down by 100 and up by 50: the sum is −50.
    chart = waterfall_bars([-100, 50])
    assert (chart.zero, chart.bars) == (159, ((1, 158), (1, 79), (80, 79)))


def test_running_totals_begin_at_zero_and_end_at_their_names() -> None:
    chart = score_chart([[81, 162], [-27, -54], [-27, -54], [-27, -54]])
    first, *others = chart.lines
    assert first.path == "M44 127L154 68L264 10"
    assert [line.end for line in others] == [166, 166, 166]
    assert [line.label for line in others] == [136, 151, 166]  # apart, and none below the chart
    assert [(mark.x, mark.is_labelled) for mark in chart.marks] == [(154, True), (264, True)]
    assert chart.ticks == ((166, -54), (127, 0), (10, 162))


def test_a_long_sheet_numbers_some_of_its_deals_and_always_the_last() -> None:
    marks = score_chart([list(range(30)), [0] * 30]).marks
    assert [number for number, mark in enumerate(marks, start=1) if mark.is_labelled] == list(range(3, 31, 3))


def test_totals_that_stay_at_zero_are_drawn() -> None:
    assert score_chart([[0, 0], [0, 0]]).ticks == ((166, 0),)


def test_the_rounds_of_all_players_share_a_scale_and_a_zero() -> None:
    """120 units less two edges for −50 to 190: 118/240 of a unit a point."""
    first, second = round_bars([[190, -50], [None, 95]])
    assert (first.zero, second.zero) == (26, 26)
    assert first.gains == "M26 1h93v9h-93z"
    assert first.losses == "M26 12h-25v9h25z"
    assert (second.gains, second.losses) == ("M26 12h47v9h-47z", "")


def test_seats_lie_around_the_table_clockwise_from_the_top() -> None:
    assert seat_positions(4) == [(32, 9), (55, 32), (32, 55), (9, 32)]


def test_a_slope_has_a_lane_for_each_player_and_labels_moves_of_two_ranks() -> None:
    """The second and third player are tied before: their lines begin in lanes of their own."""
    chart = slope_chart([(1, 3), (2, 1), (2, 2), (4, 4)])
    assert chart.lines == (SlopeLine(9, 45, -2), SlopeLine(27, 9, 1), SlopeLine(45, 27, 0), SlopeLine(63, 63, 0))
    assert [line.direction for line in chart.lines] == ["down", "up", "same", "same"]
    assert [line.is_labelled for line in chart.lines] == [True, False, False, False]
    assert chart.height == 4 * 18
    assert chart.has_labels
    assert not slope_chart([(1, 2), (2, 1)]).has_labels
