from collections.abc import Sequence

from scoring.rules.errors import IllegalDeal


def zero_sum(totals: Sequence[int], deals: int) -> None:
    """Raise IllegalDeal on "totals"."""
    if sum(totals):
        raise IllegalDeal("totals", "totals_not_zero", {"given": sum(totals)})
