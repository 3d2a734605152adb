"""What the totals of a whole table must satisfy, for games alike."""

from collections.abc import Sequence

from scoring.rules.errors import IllegalDeal


def zero_sum(totals: Sequence[int], deals: int) -> None:
    """Check that the totals add up to 0, as every deal does. Raises IllegalDeal on "totals"."""
    if sum(totals):
        raise IllegalDeal("totals", "totals_not_zero", {"given": sum(totals)})
