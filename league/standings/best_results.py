"""Results of groups, such as teams or clubs. The result of a group is the sum of its best members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from league.standings.season import ExactNumber, Id

MemberValues = tuple[ExactNumber, ...]  # the result of a member, then numbers that separate equal results


class BestSum(NamedTuple):
    """The result of a group.

    `totals` has the same positions as `MemberValues`: each is the sum over the counted members. `counted` are the ids
    of the counted members, the best first.
    """

    totals: MemberValues
    counted: tuple[Id, ...]


class GroupRank(NamedTuple):
    group: Id
    rank: int
    best: BestSum


def sum_of_best(values: Mapping[Id, MemberValues], best_count: int | None = None) -> BestSum:
    """Add the values of the `best_count` best members, or of all members if it is None. `values` is by member id.

    If members have equal values, those with the lowest ids are counted.
    """
    counted = tuple(sorted(sorted(values), key=values.__getitem__, reverse=True)[:best_count])
    columns = zip(*(values[member] for member in counted), strict=True)
    return BestSum(tuple(sum(column, start=0) for column in columns), counted)


def rank_groups(members: Mapping[Id, Mapping[Id, MemberValues]], best_count: int | None = None) -> list[GroupRank]:
    """Return the ranks of the groups by their sums, the best first. Groups with equal sums share a rank: 1, 2, 2, 4.

    `members` has the values of each group's members, by group id and member id. A group without members is left out.
    """
    sums = {group: sum_of_best(values, best_count) for group, values in members.items() if values}
    rows = []
    for group in sorted(sorted(sums), key=lambda group: sums[group].totals, reverse=True):
        better = sum(row.totals > sums[group].totals for row in sums.values())
        rows.append(GroupRank(group, better + 1, sums[group]))
    return rows
