"""One round in the draw's search: finds the exchange of seats that lowers the cost most, or raises it least. No Django;
all costs are integers.

A couple is two members of the round (players) who stay partners, so both move to another table together. A single is a
member without such a partner.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]  # an array of integers
Flags: TypeAlias = NDArray[np.bool_]  # an array of true and false
# Returns a matrix of the given shape, with random numbers from 0 to below 1. They are added to integer costs, so they
# only decide between equal costs.
TieBreaks: TypeAlias = Callable[[tuple[int, int]], NDArray[np.float64]]

UNREACHABLE_COST = 1 << 60  # higher than the cost of any plan
MAX_MOVERS = 40  # singles whose exchanges are tried in one step: in a large round, those with the highest costs


@dataclass(frozen=True, kw_only=True)
class UnseatedRound:
    """A round without seats: its members (players), its tables, and the cost of each seat."""

    members: Numbers  # the players: their numbers in the plan, from 0
    sizes: tuple[int, ...]  # sizes of the tables
    unusual_size_flags: Flags  # by table: whether its size is not the usual size
    seat_costs: Numbers  # cost of a seat, by member (index in `members`) and table
    couples: Numbers  # a row for each couple: the indexes of its two members

    def draw_tables(self, rng: np.random.Generator) -> Numbers:
        """Return a random table for each member; couples share a table. If there are couples, all sizes are even."""
        singles = np.setdiff1d(np.arange(len(self.members)), self.couples)
        order = np.concatenate([rng.permutation(self.couples).ravel(), rng.permutation(singles)])
        tables = np.empty_like(order)
        tables[order] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return tables


class Exchange(NamedTuple):
    """An exchange: pairs of members who swap their seats, and the resulting change of the plan's cost."""

    change: int
    members: tuple[tuple[int, int], ...]


NO_EXCHANGE = Exchange(UNREACHABLE_COST, ())


class SeatedRound:
    """A round with the table of each member (`tables`). `pair_costs` has the cost of each two members at one table,
    `seat_costs` the cost of a seat by member and table.
    """

    def __init__(self, unseated: UnseatedRound, tables: Numbers, pair_costs: Numbers, seat_costs: Numbers) -> None:
        self.tables = tables.copy()
        self.pair_costs = pair_costs
        self.couples = unseated.couples
        self.singles = np.setdiff1d(np.arange(len(tables)), unseated.couples)
        seats = np.zeros_like(seat_costs, dtype=np.float64)
        seats[np.arange(len(tables)), tables] = 1
        # By member and table: the cost of the member at this table, with the people who sit there now. Exact, since the
        # numbers are whole and below 2^53.
        self.member_costs = (pair_costs.astype(np.float64) @ seats).astype(np.int64) + seat_costs

    def cheapest_exchange(self, barred: Flags, *, limit: int, high_cost: int, tie_breaks: TieBreaks) -> Exchange:
        """Return the exchange with the lowest change of the cost; `tie_breaks` decide between equals.

        `barred[m, t]` forbids table t to member m, unless the change is below `limit`. If some singles have a cost of
        `high_cost` or more, only exchanges with one of these singles are tried. Exchanges with a couple are always
        tried. The result is NO_EXCHANGE if nothing is allowed.
        """
        single = self._cheapest_exchange_of_singles(barred, limit, high_cost, tie_breaks)
        if not len(self.couples):
            return single
        return min(single, self._cheapest_exchange_of_couples(barred, limit, tie_breaks))

    def vacated_tables(self, exchange: Exchange) -> list[tuple[int, int]]:
        """Return (member, the table that the member leaves) for each member of the exchange."""
        return [(member, int(self.tables[member])) for pair in exchange.members for member in pair]

    def apply_exchange(self, exchange: Exchange) -> None:
        for first, second in exchange.members:
            table, other_table = self.tables[first], self.tables[second]
            difference = self.pair_costs[:, second] - self.pair_costs[:, first]
            self.member_costs[:, table] += difference
            self.member_costs[:, other_table] -= difference
            self.tables[first], self.tables[second] = other_table, table

    def _cheapest_exchange_of_singles(
        self, barred: Flags, limit: int, high_cost: int, tie_breaks: TieBreaks
    ) -> Exchange:
        singles = self.singles
        if len(singles) < 2:
            return NO_EXCHANGE
        paid = self.member_costs[np.arange(len(self.tables)), self.tables]
        movers = singles[paid[singles] >= high_cost]
        movers = movers if len(movers) else singles
        if len(movers) > MAX_MOVERS:
            movers = movers[np.argsort(-paid[movers], kind="stable")[:MAX_MOVERS]]
        table, other_table = self.tables[movers], self.tables[singles]
        change = self.member_costs[movers][:, other_table] + self.member_costs[singles][:, table].T
        change -= 2 * self.pair_costs[movers][:, singles] + paid[movers][:, None] + paid[singles][None]
        is_barred = barred[movers][:, other_table] | barred[singles][:, table].T
        is_forbidden = is_barred & (change >= limit) | (table[:, None] == other_table[None])
        cell = _find_lowest_change(change, is_forbidden, tie_breaks)
        if cell is None:
            return NO_EXCHANGE
        row, column = cell
        return Exchange(int(change[row, column]), ((int(movers[row]), int(singles[column])),))

    def _cheapest_exchange_of_couples(self, barred: Flags, limit: int, tie_breaks: TieBreaks) -> Exchange:
        """Return the cheapest exchange of a couple with two members at another table: a couple, or two singles."""
        couples, pairs = self.couples, np.concatenate([self.couples, self._pairs_of_singles()])
        table, other_table = self.tables[couples[:, 0]], self.tables[pairs[:, 0]]
        couples_cost, pairs_cost = self.member_costs[couples].sum(axis=1), self.member_costs[pairs].sum(axis=1)
        change = couples_cost[:, other_table] + pairs_cost[:, table].T
        change -= (
            couples_cost[np.arange(len(couples)), table][:, None] + pairs_cost[np.arange(len(pairs)), other_table][None]
        )
        change += 2 * (
            self.pair_costs[couples[:, 0], couples[:, 1]][:, None] + self.pair_costs[pairs[:, 0], pairs[:, 1]][None]
        )
        for couple_members in couples.T:
            for pair_members in pairs.T:
                change -= 2 * self.pair_costs[couple_members][:, pair_members]
        is_barred = np.any(barred[couples], axis=1)[:, other_table] | np.any(barred[pairs], axis=1)[:, table].T
        is_forbidden = is_barred & (change >= limit) | (table[:, None] == other_table[None])
        cell = _find_lowest_change(change, is_forbidden, tie_breaks)
        if cell is None:
            return NO_EXCHANGE
        row, column = cell
        members = tuple((int(first), int(second)) for first, second in zip(couples[row], pairs[column], strict=True))
        return Exchange(int(change[row, column]), members)

    def _pairs_of_singles(self) -> Numbers:
        """Return each two singles who sit at one table, as rows like `couples`."""
        tables = self.tables[self.singles]
        first, second = np.nonzero(np.triu(tables[:, None] == tables[None], 1))
        return np.stack([self.singles[first], self.singles[second]], axis=1)


def _find_lowest_change(change: Numbers, is_forbidden: NDArray[Any], tie_breaks: TieBreaks) -> tuple[int, int] | None:
    """Return (row, column) of the lowest change that is not forbidden; None if all are forbidden."""
    costs = np.where(is_forbidden, UNREACHABLE_COST, change)
    row, column = divmod(int(np.argmin(costs + tie_breaks((change.shape[0], change.shape[1])))), change.shape[1])
    return None if costs[row, column] >= UNREACHABLE_COST else (row, column)
