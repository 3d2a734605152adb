"""The result of a group, such as a team or a club: the sums of its best members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from league.standings.season import Exact, Id

Values = tuple[Exact, ...]  # of a member: its score, then numbers that separate equal scores


class BestSum(NamedTuple):
    """A team's or club's totals: each value summed over the members that count, and their ids, the best first."""

    totals: Values
    counted: tuple[Id, ...]


class GroupRank(NamedTuple):
    group: Id
    rank: int
    best: BestSum


def add_best(values: Mapping[Id, Values], best_count: int | None = None) -> BestSum:
    """Add the values of the `best_count` best members, or of all if it is None or there are fewer.

    Of members with equal values the first ids count.
    """
    counted = tuple(sorted(sorted(values), key=values.__getitem__, reverse=True)[:best_count])
    columns = zip(*(values[member] for member in counted), strict=True)
    return BestSum(tuple(sum(column, start=0) for column in columns), counted)


def rank_groups(members: Mapping[Id, Mapping[Id, Values]], best_count: int | None = None) -> list[GroupRank]:
    """Rank groups by their sums, in order; a group without members has none. Equal groups share a rank: 1, 2, 2, 4."""
    sums = {group: add_best(values, best_count) for group, values in members.items() if values}
    rows = []
    for group in sorted(sorted(sums), key=lambda group: sums[group].totals, reverse=True):
        better = sum(row.totals > sums[group].totals for row in sums.values())
        rows.append(GroupRank(group, better + 1, sums[group]))
    return rows
