"""One round in the draw's search: computes the change in cost of each exchange of seats. No Django; all costs are
integers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
TieBreaks: TypeAlias = Callable[[tuple[int, int]], NDArray[np.float64]]

UNREACHABLE_COST = 1 << 60  # higher than the cost of any plan
MAX_MOVERS = 40  # in a large round, exchanges are tried only for the members with the highest costs


@dataclass(frozen=True, kw_only=True)
class UnseatedRound:
    """A round without seats: its members (players), its tables, and the cost of each seat."""

    members: Numbers
    sizes: tuple[int, ...]  # sizes of the tables
    unusual: Flags  # by table: whether its size is not the usual size
    price: Numbers  # cost of a seat, by member (index in `members`) and table
    mates: Numbers  # rows of two indexes of members who only move together

    def draw_at_random(self, rng: np.random.Generator) -> Numbers:
        alone = np.setdiff1d(np.arange(len(self.members)), self.mates)
        order = np.concatenate([rng.permutation(self.mates).ravel(), rng.permutation(alone)])
        tables = np.empty_like(order)
        tables[order] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return tables


class Exchange(NamedTuple):
    """An exchange: pairs of members who swap their seats, and the resulting change of the plan's cost."""

    change: int
    members: tuple[tuple[int, int], ...]


NO_EXCHANGE = Exchange(UNREACHABLE_COST, ())


class RoundState:
    """A seated round: `tables` has the table of each member; `weights` are the costs of pairs, `prices` the costs of
    seats.
    """

    def __init__(self, unseated: UnseatedRound, tables: Numbers, weights: Numbers, prices: Numbers) -> None:
        self.tables = tables.copy()
        self.weights = weights
        self.mates = unseated.mates
        self.alone = np.setdiff1d(np.arange(len(tables)), unseated.mates)
        seats = np.zeros_like(prices, dtype=np.float64)
        seats[np.arange(len(tables)), tables] = 1
        # The cost of each member at each table as it is now; exact, since the numbers are whole and below 2^53.
        self.bills = (weights.astype(np.float64) @ seats).astype(np.int64) + prices

    def cheapest(self, barred: Flags, *, limit: int, high_bill: int, tie_breaks: TieBreaks) -> Exchange:
        """Return the exchange that changes the cost to the lowest value; `tie_breaks` decide between equals.

        `barred[m, t]` forbids table t to member m, unless the change is below `limit`. If some members have a cost of
        `high_bill` or more, only these are tried.
        """
        single = self._cheapest_of_singles(barred, limit, high_bill, tie_breaks)
        return min(single, self._cheapest_of_mates(barred, limit, tie_breaks)) if len(self.mates) else single

    def vacated_tables(self, exchange: Exchange) -> list[tuple[int, int]]:
        return [(member, int(self.tables[member])) for pair in exchange.members for member in pair]

    def apply(self, exchange: Exchange) -> None:
        for first, second in exchange.members:
            table, other_table = self.tables[first], self.tables[second]
            difference = self.weights[:, second] - self.weights[:, first]
            self.bills[:, table] += difference
            self.bills[:, other_table] -= difference
            self.tables[first], self.tables[second] = other_table, table

    def _cheapest_of_singles(self, barred: Flags, limit: int, high_bill: int, tie_breaks: TieBreaks) -> Exchange:
        singles = self.alone
        if len(singles) < 2:
            return NO_EXCHANGE
        paid = self.bills[np.arange(len(self.tables)), self.tables]
        movers = singles[paid[singles] >= high_bill]
        movers = movers if len(movers) else singles
        if len(movers) > MAX_MOVERS:
            movers = movers[np.argsort(-paid[movers], kind="stable")[:MAX_MOVERS]]
        table, other_table = self.tables[movers], self.tables[singles]
        change = self.bills[movers][:, other_table] + self.bills[singles][:, table].T
        change -= 2 * self.weights[movers][:, singles] + paid[movers][:, None] + paid[singles][None]
        closed = barred[movers][:, other_table] | barred[singles][:, table].T
        cell = _find_least(change, closed & (change >= limit) | (table[:, None] == other_table[None]), tie_breaks)
        if cell is None:
            return NO_EXCHANGE
        row, column = cell
        return Exchange(int(change[row, column]), ((int(movers[row]), int(singles[column])),))

    def _cheapest_of_mates(self, barred: Flags, limit: int, tie_breaks: TieBreaks) -> Exchange:
        """Return the cheapest exchange of two mates (who only move together) with two players of another table: mates,
        or two singles.
        """
        mates, pairs = self.mates, np.concatenate([self.mates, self._single_pairs()])
        table, other_table = self.tables[mates[:, 0]], self.tables[pairs[:, 0]]
        mates_bill, partners_bill = self.bills[mates].sum(axis=1), self.bills[pairs].sum(axis=1)
        change = mates_bill[:, other_table] + partners_bill[:, table].T
        change -= (
            mates_bill[np.arange(len(mates)), table][:, None] + partners_bill[np.arange(len(pairs)), other_table][None]
        )
        change += 2 * (self.weights[mates[:, 0], mates[:, 1]][:, None] + self.weights[pairs[:, 0], pairs[:, 1]][None])
        for mate in mates.T:
            for pair in pairs.T:
                change -= 2 * self.weights[mate][:, pair]
        closed = np.any(barred[mates], axis=1)[:, other_table] | np.any(barred[pairs], axis=1)[:, table].T
        cell = _find_least(change, closed & (change >= limit) | (table[:, None] == other_table[None]), tie_breaks)
        if cell is None:
            return NO_EXCHANGE
        row, column = cell
        members = tuple((int(first), int(second)) for first, second in zip(mates[row], pairs[column], strict=True))
        return Exchange(int(change[row, column]), members)

    def _single_pairs(self) -> Numbers:
        tables = self.tables[self.alone]
        first, second = np.nonzero(np.triu(tables[:, None] == tables[None], 1))
        return np.stack([self.alone[first], self.alone[second]], axis=1)


def _find_least(change: Numbers, closed: NDArray[Any], tie_breaks: TieBreaks) -> tuple[int, int] | None:
    costs = np.where(closed, UNREACHABLE_COST, change)
    row, column = divmod(int(np.argmin(costs + tie_breaks((change.shape[0], change.shape[1])))), change.shape[1])
    return None if costs[row, column] >= UNREACHABLE_COST else (row, column)
