"""The totals written on the paper against those of the rows: who differs, and which row is the likely culprit.

Pure: knows points by seat, nothing of games. Whoever knows the game says what each row would give if one of its cells
were another (`Slip`); this module finds those that explain the whole difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

MOST = 5  # suspects worth looking at
# From the usual slip to the rare one; where two explain the difference, the first comes first.
REASONS = (
    *("row_doubled", "row_missing", "seats_swapped", "sign_flipped"),
    *("digits_swapped", "other_seat", "other_digit", "near_number", "other_code"),
    *("paper_digits_swapped", "paper_sign", "paper_digit", "paper_total", "paper_sum"),
)

Points = tuple[int, ...]


class Slip(NamedTuple):
    """A row (from 0) as it would be if the text of one cell were another, and what it would then give by seat.

    With what the later rows would then give more or less, in a game whose deals hand something on.
    """

    row: int
    reason: str  # "other_seat", "digits_swapped", "other_digit", "near_number", "other_code"
    column: str
    was: str
    might: str
    points: Points


class Suspect(NamedTuple):
    """One explanation of the difference. `row` is from 0, None when the paper's own total is to blame at `seat`."""

    reason: str
    row: int | None = None
    seat: int | None = None
    column: str = ""
    was: str = ""
    might: str = ""


class CrossCheck(NamedTuple):
    """`differences`: written minus computed by seat, None where nothing is written; `suspects`: the likeliest first."""

    differences: tuple[int | None, ...]
    suspects: tuple[Suspect, ...]

    @property
    def agrees(self) -> bool:
        """Whether every total that is written is the computed one."""
        return not any(self.differences)


def compare(
    rows: Sequence[Points], written: Sequence[int | None], slips: Iterable[Slip] = (), *, impossible: bool = False
) -> CrossCheck:
    """Compare the sums of `rows` (points by seat, 0 for who rested) with what is written.

    `impossible`: whether the game says that no deals add up to the written totals.
    """
    computed = [sum(points) for points in zip(*rows, strict=True)] if rows else [0] * len(written)
    differences = tuple(None if paper is None else paper - own for paper, own in zip(written, computed, strict=True))
    if not any(differences):
        return CrossCheck(differences, ())
    found = [*_of_rows(rows, differences), *_of_slips(rows, differences, slips)]
    found += _of_paper(written, differences, impossible)
    found.sort(key=lambda suspect: (REASONS.index(suspect.reason), suspect.row if suspect.row is not None else -1))
    return CrossCheck(differences, tuple(found[:MOST]))


def _explains(differences: Sequence[int | None], change: Iterable[int]) -> bool:
    return all(wanted is None or wanted == got for wanted, got in zip(differences, change, strict=True))


def _of_rows(rows: Sequence[Points], differences: Sequence[int | None]) -> Iterator[Suspect]:
    """Yield what can be told from points alone."""
    for index, points in enumerate(rows):
        if not any(points):
            continue
        if _explains(differences, [-got for got in points]):
            yield Suspect("row_doubled", index)
        if _explains(differences, points):
            yield Suspect("row_missing", index)
        if _explains(differences, [-2 * got for got in points]):
            yield Suspect("sign_flipped", index)
        if _swaps(points, differences):
            yield Suspect("seats_swapped", index)


def _swaps(points: Points, differences: Sequence[int | None]) -> bool:
    """Return whether two seats' points of the row, exchanged, explain it all."""
    wrong = [seat for seat, difference in enumerate(differences) if difference]
    if len(wrong) != 2:
        return False
    first, second = wrong
    moved = points[second] - points[first]
    return differences[first] == moved and differences[second] == -moved


def _of_slips(rows: Sequence[Points], differences: Sequence[int | None], slips: Iterable[Slip]) -> Iterator[Suspect]:
    for slip in slips:
        change = [might - was for might, was in zip(slip.points, rows[slip.row], strict=True)]
        if any(change) and _explains(differences, change):
            yield Suspect(slip.reason, slip.row, None, slip.column, slip.was, slip.might)


def _of_paper(written: Sequence[int | None], differences: Sequence[int | None], impossible: bool) -> Iterator[Suspect]:
    """Yield slips on the paper: one seat alone differs, or its totals don't add up."""
    wrong = [seat for seat, difference in enumerate(differences) if difference]
    if len(wrong) == 1:
        [seat] = wrong
        paper, difference = written[seat], differences[seat]
        assert paper is not None
        assert difference is not None
        yield Suspect(_slip_of_pen(paper, paper - difference), None, seat, "", str(paper), str(paper - difference))
    elif impossible:
        yield Suspect("paper_sum")


def _slip_of_pen(paper: int, own: int) -> str:
    if paper == -own:
        return "paper_sign"
    first, second = str(abs(paper)), str(abs(own))
    if len(first) == len(second):
        unlike = [at for at in range(len(first)) if first[at] != second[at]]
        if len(unlike) == 1:
            return "paper_digit"
        if len(unlike) == 2 and unlike[1] == unlike[0] + 1 and sorted(first) == sorted(second):
            return "paper_digits_swapped"
    return "paper_total"
