"""The kernel by itself: readers, words, sums and payouts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import payouts, reading
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.score import Line, total
from scoring.rules.words import COMMON_WORDS, Words, english_number, format_message, pgettext_lazy
from scoring.tests import laws


def refused(call: Any, *arguments: Any) -> IllegalDeal:
    with pytest.raises(IllegalDeal) as refusal:
        call(*arguments)
    assert format_message({}, refusal.value.code, refusal.value.params)
    return refusal.value


@given(laws.json_values())
def test_given_is_short_whatever_was_given(value: Any) -> None:
    assert 0 < len(reading.quote(value)) <= reading.MAX_QUOTE_LENGTH


def test_given_survives_what_can_not_be_written() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    hostile: list[Any] = [10**5000, deep, "\udc80" * 200, [0] * 10**6, [[10**5000]]]
    for value in hostile:
        assert 0 < len(reading.quote(value)) <= reading.MAX_QUOTE_LENGTH
        reading.quote(value).encode("utf-8")


def test_given_writes_the_words_of_json() -> None:
    assert [reading.quote(value) for value in (None, True, False, 4, "x")] == ["null", "true", "false", "4", "'x'"]


def test_booleans_are_not_numbers() -> None:
    for reader in (reading.integer, reading.read_half_points):
        assert refused(reader, True, "points").field == "points"
    assert refused(reading.seat, True, "taker", 4).code == "not_whole"
    assert refused(reading.boolean, 1, "forced").code == "not_flag"


def test_whole_numbers_are_integers_within_their_range() -> None:
    assert reading.integer(7, "n", 0, 7) == 7
    assert refused(reading.integer, 4.0, "n").code == "not_whole"
    assert refused(reading.integer, -1, "n").code == "too_small"
    assert refused(reading.integer, 8, "n", 0, 7).code == "out_of_range"
    assert refused(reading.integer, None, "n").code == "missing"


@pytest.mark.parametrize(("value", "halves"), [(49, 98), (49.0, 98), (49.5, 99), (-0.5, -1)])
def test_points_are_counted_in_halves(value: float, halves: int) -> None:
    assert reading.read_half_points(value, "points") == halves


@pytest.mark.parametrize("value", [49.25, "49", None, float("nan"), float("inf"), 1e-300, []])
def test_points_that_are_no_halves_are_refused(value: Any) -> None:
    assert refused(reading.read_half_points, value, "points").field == "points"


def test_an_option_keeps_its_type() -> None:
    assert reading.allowed_value(None, "options.floor", (None, 0)) is None
    assert reading.allowed_value(0, "options.floor", (None, 0)) == 0
    wrong_values: list[Any] = [False, 0.0, "0", [], {}]
    for value in wrong_values:
        assert refused(reading.allowed_value, value, "options.floor", (None, 0)).field == "options.floor"


def test_keys_are_needed_or_known() -> None:
    keys = frozenset({"a", "b"})
    assert reading.checked_object({"a": 1, "b": None}, "facts", frozenset({"a"}), keys) == {"a": 1, "b": None}
    assert refused(reading.checked_object, {"a": None}, "facts", frozenset({"a"}), keys).field == "a"
    assert refused(reading.checked_object, {"a": 1, "c": 1}, "facts", keys, keys).field == "c"
    assert refused(reading.checked_object, {"c": 1}, "hands.1", keys, keys).field == "hands.1.c"
    assert refused(reading.checked_object, {"not a name": 1}, "facts", keys, keys).field == "facts"
    assert refused(reading.checked_object, [], "facts", keys, keys).code == "not_an_object"


@given(laws.json_values())
def test_every_reader_answers_or_refuses(value: Any) -> None:
    for reader in (
        lambda: reading.checked_object(value, "f", frozenset(), frozenset()),
        lambda: reading.items(value, "f", 2),
        lambda: reading.integer(value, "f", 0, 3),
        lambda: reading.seat(value, "f", 4),
        lambda: reading.word(value, "f", ("x", "y")),
        lambda: reading.boolean(value, "f"),
        lambda: reading.read_half_points(value, "f"),
        lambda: reading.allowed_value(value, "f", (0, 10, None)),
    ):
        try:
            reader()
        except IllegalDeal as error:
            assert_refusal(error)


def assert_refusal(refusal: IllegalDeal) -> None:
    assert refusal.field
    assert format_message({}, refusal.code, refusal.params)


def test_numbers_as_people_write_them() -> None:
    assert [english_number(number) for number in (4, 4.0, 43.5, -7, -0.5)] == ["4", "4", "43.5", "−7", "−0.5"]


def test_say_fills_in_words_seats_and_numbers() -> None:
    words = {"line": "%(seat)s, %(seats)s: %(side)s %(points)s %(given)s", "attack": "the attack"}
    params: dict[str, Param] = {"seat": 2, "seats": (0, 1), "side": "attack", "points": -27, "given": "'attack'"}
    assert format_message(words, "line", params) == "seat 2, seat 0, seat 1: the attack −27 'attack'"
    names = ["Ana", "Bea", "Cem"].__getitem__

    def translate(text: str) -> str:
        return text.replace("the attack", "l’attaque")

    assert (
        format_message(words, "line", params, seat=names, translate=translate)
        == "Cem, Ana, Bea: l’attaque −27 'attack'"
    )


def test_a_text_with_a_context_is_translated_in_it() -> None:
    words: Words = {"line": pgettext_lazy("cards", "%(suit)s led"), "clubs": pgettext_lazy("suit", "clubs")}
    assert format_message(words, "line", {"suit": "clubs"}) == "clubs led"
    french = {("cards", "%(suit)s led"): "%(suit)s demandé", ("suit", "clubs"): "trèfle"}
    in_french = format_message(
        words, "line", {"suit": "clubs"}, translate_in_context=lambda context, text: french[context, text]
    )
    assert in_french == "trèfle demandé"


def test_a_number_among_texts_is_told_apart_from_them() -> None:
    refusal = refused(reading.word, 100, "slam", ("80", "90", "100"))
    assert format_message({}, refusal.code, refusal.params) == "100 is not one of: '80', '90', '100'."


def test_words_of_a_game_come_before_the_kernels() -> None:
    assert format_message({}, "missing", {}) == COMMON_WORDS["missing"]
    assert format_message({"missing": "Who took?"}, "missing", {}) == "Who took?"


@given(st.integers(2, 8), st.lists(st.lists(st.integers(), min_size=8, max_size=8), max_size=6))
def test_total_adds_the_lines_up(seats: int, rows: list[list[int]]) -> None:
    lines = [Line("x", {}, "X1", tuple(row[:seats])) for row in rows]
    assert total(seats, lines) == tuple(sum(row[seat] for row in rows) for seat in range(seats))


def test_payouts_add_up_to_nothing() -> None:
    assert payouts.payout((2, 1, -1, -1, -1), 30) == (60, 30, -30, -30, -30)
