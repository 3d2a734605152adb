"""Checks of the totals of a whole table."""

from collections.abc import Sequence
from typing import Any

from scoring.rules.errors import IllegalDeal


def zero_sum(totals: Sequence[int], deals: int, options: Any) -> None:
    """Raise IllegalDeal on "totals" if they do not add up to 0."""
    if sum(totals):
        raise IllegalDeal("totals", "totals_not_zero", {"given": sum(totals)})
