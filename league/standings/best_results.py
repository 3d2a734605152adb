"""The result of a team: the sum of its best members."""

from __future__ import annotations

from collections.abc import Iterable

from league.standings.season import Exact


def sum_of_best(values: Iterable[Exact], number: int | None = None) -> Exact:
    """Return the sum of the `number` highest values, or of all values if it is None or there are fewer."""
    return sum(sorted(values, reverse=True)[:number], start=0)
