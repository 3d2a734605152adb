"""The geometry of a rating's history."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from league.web.line_chart import (
    HEIGHT,
    MARGIN_BOTTOM,
    MARGIN_LEFT,
    MARGIN_RIGHT,
    MARGIN_TOP,
    MAX_GRID_LINES,
    WIDTH,
    rating_chart,
)

START = date(2026, 9, 4)

values = st.floats(min_value=-5000, max_value=9000, allow_nan=False)


@given(st.lists(values, min_size=1, max_size=60), st.integers(min_value=1, max_value=40))
def test_everything_lies_inside(history: list[float], days: int) -> None:
    drawn = rating_chart([(START + timedelta(days=days * index), value) for index, value in enumerate(history)])
    for point in drawn.points:
        assert MARGIN_LEFT <= point.x <= WIDTH - MARGIN_RIGHT
        assert MARGIN_TOP - 0.01 <= point.y <= HEIGHT - MARGIN_BOTTOM + 0.01
    assert 2 <= len(drawn.ticks) <= MAX_GRID_LINES
    for tick in drawn.ticks:
        assert MARGIN_TOP - 0.01 <= tick.y <= HEIGHT - MARGIN_BOTTOM + 0.01
    assert [tick.value for tick in drawn.ticks] == sorted(tick.value for tick in drawn.ticks)


def test_higher_rating_is_higher_up_and_later_is_further_right() -> None:
    drawn = rating_chart([(START, 1000.0), (START + timedelta(days=7), 1012.0), (START + timedelta(days=14), 990.0)])
    first, second, third = drawn.points
    assert second.y < first.y < third.y
    assert first.x == MARGIN_LEFT
    assert third.x == WIDTH - MARGIN_RIGHT
    assert second.x == (first.x + third.x) / 2


def test_the_axis_fits_the_values_and_its_ticks_are_round() -> None:
    drawn = rating_chart([(START, 987.0), (START + timedelta(days=7), 1013.0)])
    assert [tick.value for tick in drawn.ticks] == [990, 995, 1000, 1005, 1010]
    assert [point.y for point in drawn.points] == [HEIGHT - MARGIN_BOTTOM, MARGIN_TOP]


def test_single_date_stands_in_the_middle_with_its_date_once() -> None:
    drawn = rating_chart([(START, 1000.0)])
    assert drawn.points[0].x == MARGIN_LEFT + (WIDTH - MARGIN_LEFT - MARGIN_RIGHT) / 2
    assert [mark.date for mark in drawn.dates] == [START]


def test_many_dates_show_only_the_last_dot() -> None:
    drawn = rating_chart([(START + timedelta(days=index), 1000.0 + index) for index in range(60)])
    assert drawn.dots == drawn.points[-1:]


@given(st.lists(st.tuples(values, st.floats(min_value=1, max_value=90)), min_size=1, max_size=60))
def test_a_band_lies_inside_and_around_the_line(history: list[tuple[float, float]]) -> None:
    days = [START + timedelta(days=index) for index in range(len(history))]
    drawn = rating_chart(list(zip(days, [value for value, _ in history], strict=True)), [band for _, band in history])
    upper, lower = drawn.band[: len(days)], drawn.band[len(days) :][::-1]
    for point, high, low in zip(drawn.points, upper, lower, strict=True):
        assert high.x == point.x == low.x
        assert MARGIN_TOP - 0.01 <= high.y <= point.y <= low.y <= HEIGHT - MARGIN_BOTTOM + 0.01


def test_no_band_is_drawn_where_none_is_known() -> None:
    assert rating_chart([(START, 1000.0)]).band == ()
