"""Compare the totals on a paper score sheet with the sums of the entered rows, and find the rows that are probably
wrong.

Points are lists by seat. The game lists the possible mistakes in each row (`PossibleMistake`); this module returns the
mistakes that explain the whole difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

MAX_SUSPECTS = 5
# The most common mistake first; suspects are sorted in this order.
REASON_CODES = (
    *("row_doubled", "row_missing", "seats_swapped", "sign_flipped"),
    *("digits_swapped", "other_seat", "other_digit", "near_number", "other_code"),
    *("paper_digits_swapped", "paper_sign", "paper_digit", "paper_total", "paper_sum"),
)

Points = tuple[int, ...]


class PossibleMistake(NamedTuple):
    """A possible mistake in a row: one cell has the text `given_text`, but `corrected_text` may have been meant.

    `row` is the index of the row, from 0; `column` is the name of the cell. `reason` is one of REASON_CODES. If the
    game itself finds the mistake (`PaperErrors`), `reason` is a code of the game, and the three texts are empty.
    `points` are the row's points by seat with the corrected text, plus the changes that the correction causes in later
    rows.
    """

    row: int
    reason: str
    column: str
    given_text: str
    corrected_text: str
    points: Points


class Suspect(NamedTuple):
    """One explanation of a difference between paper and rows. `row` is the index of the wrong row, from 0.

    Without a wrong row, `row` is None. If one total on paper is wrong, `seat` is its seat. If a cell is wrong, `column`
    is the name of the cell. `given_text` is the text of the cell or the total on paper; `corrected_text` is the text
    that may have been meant.
    """

    reason: str
    row: int | None = None
    seat: int | None = None
    column: str = ""
    given_text: str = ""
    corrected_text: str = ""


class CrossCheck(NamedTuple):
    """The result of a comparison of paper totals with rows.

    `differences` are by seat: the paper's total minus the computed total, or None if the paper has no total.
    `suspects` are the likely errors, the most likely first.
    """

    differences: tuple[int | None, ...]
    suspects: tuple[Suspect, ...]

    @property
    def totals_agree(self) -> bool:
        return not any(self.differences)


def compare_totals(
    rows: Sequence[Points],
    paper: Sequence[int | None],
    possible_mistakes: Iterable[PossibleMistake] = (),
    *,
    impossible_sum: bool = False,
    never_negative: bool = False,
    sides: Sequence[Sequence[int]] = (),
    errors_by_difference: Mapping[int, Sequence[tuple[str, int | None]]] = MappingProxyType({}),
) -> CrossCheck:
    """Return the differences between the totals on paper and the sums of the rows, and the likely causes.

    `rows` has the points of each deal by seat (0 for a resting seat). `paper` has the total of each seat; None: the
    paper has no total. `possible_mistakes` are mistakes in the rows. `impossible_sum`: no deals of the game can have
    the sum of the totals on paper. `never_negative`: no deal gives negative points. `sides`: the seats that share one
    result.

    `errors_by_difference` has likely errors as (reason, row index or None). Its keys are differences of the sums, each
    side counted once: the sum on paper minus the sum of the rows. It is used if no row explains all differences.
    """
    computed = [sum(points) for points in zip(*rows, strict=True)] if rows else [0] * len(paper)
    differences = tuple(None if total is None else total - sum_ for total, sum_ in zip(paper, computed, strict=True))
    if not any(differences):
        return CrossCheck(differences, ())
    explanations = (
        *_row_suspects(rows, differences, never_negative=never_negative),
        *_mistake_suspects(rows, differences, possible_mistakes),
    )
    suspects = list(dict.fromkeys(explanations))  # no duplicates: different mistakes may be shown as the same error
    if not suspects and (off := sum_difference(differences, sides)) is not None:
        suspects += [Suspect(reason, row) for reason, row in errors_by_difference.get(off, ())]
    suspects += _paper_suspects(paper, differences, impossible_sum)
    suspects.sort(key=_sort_key)
    return CrossCheck(differences, tuple(suspects[:MAX_SUSPECTS]))


def _sort_key(suspect: Suspect) -> tuple[int, int]:
    """Return the sort key of a suspect: the game's own errors come before typing errors."""
    reason = REASON_CODES.index(suspect.reason) if suspect.reason in REASON_CODES else -1
    return reason, -1 if suspect.row is None else suspect.row


def sum_difference(differences: Sequence[int | None], sides: Sequence[Sequence[int]]) -> int | None:
    """Return the sum of the differences, counting each side (the seats of partners) once.

    Return None if a side has no total on paper, or if partners have different differences.
    """
    off = 0
    for side in sides:
        side_differences = {differences[seat] for seat in side} - {None}
        if len(side_differences) != 1:
            return None
        off += next(iter(side_differences)) or 0
    return off


def _explains_differences(differences: Sequence[int | None], change: Iterable[int]) -> bool:
    return all(wanted is None or wanted == got for wanted, got in zip(differences, change, strict=True))


def _row_suspects(
    rows: Sequence[Points], differences: Sequence[int | None], *, never_negative: bool
) -> Iterator[Suspect]:
    for index, points in enumerate(rows):
        if not any(points):
            continue
        if _explains_differences(differences, [-got for got in points]):
            yield Suspect("row_doubled", index)
        if _explains_differences(differences, points):
            yield Suspect("row_missing", index)
        if not never_negative and _explains_differences(differences, [-2 * got for got in points]):
            yield Suspect("sign_flipped", index)
        if _is_swap_of_seats(points, differences):
            yield Suspect("seats_swapped", index)


def _is_swap_of_seats(points: Points, differences: Sequence[int | None]) -> bool:
    wrong = [seat for seat, difference in enumerate(differences) if difference]
    if len(wrong) != 2:
        return False
    first, second = wrong
    change = points[second] - points[first]
    return differences[first] == change and differences[second] == -change


def _mistake_suspects(
    rows: Sequence[Points], differences: Sequence[int | None], possible_mistakes: Iterable[PossibleMistake]
) -> Iterator[Suspect]:
    for mistake in possible_mistakes:
        change = [might - was for might, was in zip(mistake.points, rows[mistake.row], strict=True)]
        if any(change) and _explains_differences(differences, change):
            yield Suspect(mistake.reason, mistake.row, None, mistake.column, mistake.given_text, mistake.corrected_text)


def _paper_suspects(
    paper: Sequence[int | None], differences: Sequence[int | None], impossible_sum: bool
) -> Iterator[Suspect]:
    wrong = [seat for seat, difference in enumerate(differences) if difference]
    if len(wrong) == 1:
        [seat] = wrong
        total, difference = paper[seat], differences[seat]
        assert total is not None
        assert difference is not None
        computed = total - difference
        yield Suspect(_paper_reason(total, computed), None, seat, "", str(total), str(computed))
    elif impossible_sum:
        yield Suspect("paper_sum")


def _paper_reason(total: int, computed: int) -> str:
    if total == -computed:
        return "paper_sign"
    first, second = str(abs(total)), str(abs(computed))
    if len(first) == len(second):
        unlike = [index for index in range(len(first)) if first[index] != second[index]]
        if len(unlike) == 1:
            return "paper_digit"
        if len(unlike) == 2 and unlike[1] == unlike[0] + 1 and sorted(first) == sorted(second):
            return "paper_digits_swapped"
    return "paper_total"
