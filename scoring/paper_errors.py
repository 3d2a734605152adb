"""A game's own likely errors, such as a missing bonus, if totals differ from those on a paper score sheet. No Django.

A game's folder may have a `paper.py` with the value PAPER_ERRORS. Errors of typing in a cell are found without it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

LikelyError: TypeAlias = tuple[str, int | None]  # message code, index of the deal or None


def no_corrected_deals(deals: Sequence[Any], options: Any) -> tuple[()]:
    return ()


def no_errors_by_difference(deals: Sequence[Any], options: Any) -> dict[int, Sequence[LikelyError]]:
    return {}


def no_sum_error(total: int, deals: int, options: Any) -> None:
    return None


class PaperErrors(NamedTuple):
    """A game's functions that find likely errors if the totals of a table differ from those on paper.

    `corrected_deals` takes the deals of a table, in order, and yields (message code, index of the deal, the deal with
    one possible mistake corrected). `errors_by_difference` returns likely errors by the difference of the sums: the sum
    of all sides on paper minus the sum of the deals. It is used if no other error explains all totals. Messages have
    the parameters `number` (of the deal) and `off` (the difference of the sums).

    `sum_error` is called for a table with totals but without recorded deals. It returns the message code of a likely
    error in the sum of all sides, with the parameters `given`, `deals` and `off`; or None.
    """

    corrected_deals: Callable[[Sequence[Any], Any], Iterable[tuple[str, int, Any]]] = no_corrected_deals
    errors_by_difference: Callable[[Sequence[Any], Any], Mapping[int, Sequence[LikelyError]]] = no_errors_by_difference
    words: Words = {}
    sum_error: Callable[[int, int, Any], tuple[str, Mapping[str, int]] | None] = no_sum_error


NO_PAPER_ERRORS = PaperErrors()

SLAM_AND_DEAL_WORDS: Words = {
    "slam_missing": _("%(off)s off: a slam is missing."),
    "slam_missing_in": _("Deal %(number)s: a slam is missing."),
    "slam_extra": _("%(off)s off: there is a slam that the paper does not have."),
    "slam_extra_in": _("Deal %(number)s: the paper does not have this slam."),
    "deal_missing": _("%(off)s off: a deal is missing."),
    "deal_passed_in": _("Deal %(number)s counts as passed; it may have been played."),
    "deal_extra": _("%(off)s off: there is a deal that the paper does not have."),
}


def deal_and_bonus_errors(
    bonuses: Iterable[tuple[str, int]], deals: Iterable[int], passed: Iterable[int]
) -> dict[int, Sequence[LikelyError]]:
    """Return the likely missing or extra deals and bonuses by the difference of the sums, as
    `PaperErrors.errors_by_difference` does.

    `bonuses` are pairs: a name such as "slam", and its points. `deals` are the possible sums of one deal. `passed` are
    the indexes of passed deals. If two errors have the same difference, a bonus replaces a deal, and a later bonus
    replaces an earlier bonus.
    """
    missing: list[LikelyError] = [("deal_missing", None), *(("deal_passed_in", index) for index in passed)]
    errors: dict[int, Sequence[LikelyError]] = {}
    for points in deals:
        errors |= {points: missing, -points: [("deal_extra", None)]}
    for bonus, points in bonuses:
        errors |= {points: [(f"{bonus}_missing", None)], -points: [(f"{bonus}_extra", None)]}
    return errors
