"""The result of a team: the sum of its best members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from league.standings.season import Exact, Id


def sum_of_best(values: Iterable[Exact], number: int | None = None) -> Exact:
    """Return the sum of the `number` highest values, or of all values if it is None or there are fewer."""
    return sum(sorted(values, reverse=True)[:number], start=0)


def best_results(values: Mapping[Id, Exact], number: int | None = None) -> list[Id]:
    """Return the ids of the values that `sum_of_best` adds, highest first; of equal values the first ids."""
    return sorted(values, key=lambda result: (-values[result], result))[:number]
