"""Who disagrees with the paper and why: sheets and slips made by hand, so that each answer is known beforehand."""

from __future__ import annotations

import pytest

from scoring.cross_check import PossibleMistake, Suspect, compare_totals
from scoring.game import find_game
from scoring.possible_mistakes import row_mistakes

# Three deals of tarot at four seats; sums 3, 102, -93, -12.
ROWS = [(81, -27, -27, -27), (-52, 156, -52, -52), (-26, -27, -14, 67)]
SUMS = (3, 102, -93, -12)


def paper(*changes: int) -> list[int | None]:
    return [total + change for total, change in zip(SUMS, changes, strict=True)]


def first(
    paper_totals: list[int | None], slips_: list[PossibleMistake] | None = None, *, impossible_sum: bool = False
) -> Suspect:
    return compare_totals(ROWS, paper_totals, slips_ or [], impossible_sum=impossible_sum).suspects[0]


def test_equal_totals_agree() -> None:
    check = compare_totals(ROWS, SUMS)
    assert check.totals_agree
    assert check.suspects == ()
    assert compare_totals(ROWS, [None, 102, None, None]).totals_agree


def test_a_deal_that_only_we_have_or_only_the_paper_has_twice() -> None:
    assert first(paper(52, -156, 52, 52)) == Suspect("row_doubled", 1)
    assert first(paper(-52, 156, -52, -52)) == Suspect("row_missing", 1)


def test_plus_and_minus_exchanged() -> None:
    assert first(paper(-162, 54, 54, 54)) == Suspect("sign_flipped", 0)


def test_plus_and_minus_are_not_exchanged_without_minus_points() -> None:
    rows = [(0, 81, 0, 81), (62, 100, 62, 100)]
    totals = (62, 19, 62, 19)  # the sums are 62 and 181
    assert [suspect.reason for suspect in compare_totals(rows, totals).suspects] == ["sign_flipped"]
    assert compare_totals(rows, totals, never_negative=True).suspects == ()


def test_two_seats_exchanged() -> None:
    """The 156 of seat 1 stands at seat 2 on the paper."""
    assert first(paper(0, -208, 208, 0)) == Suspect("seats_swapped", 1)


def test_a_cell_that_was_typed_wrong_explains_the_difference() -> None:
    slip = PossibleMistake(2, "digits_swapped", "points", "43", "34", (-20, -21, -8, 49))
    assert first(paper(6, 6, 6, -18), [slip]) == Suspect("digits_swapped", 2, None, "points", "43", "34")


@pytest.mark.parametrize(
    ("paper_totals", "reason"),
    [
        ([3, 102, -93, 12], "paper_sign"),
        ([3, 120, -93, -12], "paper_digits_swapped"),
        ([3, 103, -93, -12], "paper_digit"),
        ([3, 88, -93, -12], "paper_total"),
    ],
)
def test_one_total_alone_is_the_papers_own_slip(paper_totals: list[int | None], reason: str) -> None:
    check = compare_totals(ROWS, paper_totals)
    assert [suspect.reason for suspect in check.suspects] == [reason]


def test_totals_that_can_not_be_are_told() -> None:
    assert first([4, 103, -93, -12], impossible_sum=True) == Suspect("paper_sum")


def test_what_nothing_explains_has_no_suspect() -> None:
    check = compare_totals(ROWS, paper(1, -1, 2, -2))
    assert check.differences == (1, -1, 2, -2)
    assert check.suspects == ()


@pytest.mark.parametrize(("typed", "paper"), [(39, 40), (40, 39), (58, 60), (61, 59), (9, 10)])
def test_a_number_that_is_one_or_two_off_explains_the_difference(typed: int, paper: int) -> None:
    """A take with 2 oudlers needs 41; the taker gets or pays 25 and the difference three times."""
    tarot = find_game("tarot")

    def by_seat(points: int) -> tuple[int, ...]:
        base = (25 + abs(points - 41)) * (1 if points >= 41 else -1)
        return 3 * base, -base, -base, -base

    facts = {"contract": "take", "taker": 0, "points": typed, "oudlers": 2}
    tried = row_mistakes(tarot.rules, tarot.row, [(facts, [])], 4, tarot.rules.read_options({}))
    suspects = compare_totals([by_seat(typed)], by_seat(paper), tried).suspects
    assert Suspect("near_number", 0, None, "points", str(typed), str(paper)) in suspects


def test_the_rows_own_slips_are_tried_out() -> None:
    """A take of 43 with 2 oudlers gives 81 (001); with 1 oudler 99 are lost: 180 less."""
    tarot = find_game("tarot")
    facts = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}
    tried = row_mistakes(tarot.rules, tarot.row, [(facts, [])], 4, tarot.rules.read_options({}))
    check = compare_totals([(81, -27, -27, -27)], [-99, 33, 33, 33], tried)
    assert Suspect("other_code", 0, None, "oudlers", "2", "1") in check.suspects
    other_taker = row_mistakes(tarot.rules, tarot.row, [(facts, [])], 4, tarot.rules.read_options({}))
    check = compare_totals([(81, -27, -27, -27)], [-27, -27, 81, -27], other_taker)
    assert Suspect("other_seat", 0, None, "taker", "1", "3") in check.suspects


def test_a_code_that_is_written_in_capitals_is_taken_for_another() -> None:
    """A guard of 43 with 2 oudlers gives 162, a take 81; `confusable_letters` has lower case, `write` capitals."""
    tarot = find_game("tarot")
    facts = {"contract": "guard", "taker": 0, "points": 43, "oudlers": 2}
    tried = row_mistakes(tarot.rules, tarot.row, [(facts, [])], 4, tarot.rules.read_options({}))
    check = compare_totals([(162, -54, -54, -54)], [81, -27, -27, -27], tried)
    assert Suspect("other_code", 0, None, "contract", "G", "T") in check.suspects
