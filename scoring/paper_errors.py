"""A game's own likely errors on a sheet whose totals differ from the paper, such as a missing bonus. Pure.

A game's folder may have a `paper.py` with the value PAPER_ERRORS. Typing errors in the row's cells need none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.words import Words


def no_variants(deals: Sequence[Any], options: Any) -> tuple[()]:
    return ()


def no_sums(deals: Sequence[Any], options: Any) -> dict[int, Sequence[tuple[str, int | None]]]:
    return {}


class PaperErrors(NamedTuple):
    """Codes of `words` for likely errors; `deals` are a table's, in order, as the rules read them.

    `variants` yields (code, index, the deal as it may have been). `sums` returns (code, index or None) by the paper's
    sum of all sides minus the sheet's; it is asked if no other error explains all totals. The parameters of the texts
    are `number`, the deal's, and `off`, the difference of the sums.
    """

    variants: Callable[[Sequence[Any], Any], Iterable[tuple[str, int, Any]]] = no_variants
    sums: Callable[[Sequence[Any], Any], Mapping[int, Sequence[tuple[str, int | None]]]] = no_sums
    words: Words = {}


NO_PAPER_ERRORS = PaperErrors()
