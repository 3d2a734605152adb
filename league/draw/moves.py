"""One round of the draw's search: what each exchange of places would change. Pure, whole numbers only."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Chances: TypeAlias = Callable[[tuple[int, int]], NDArray[np.float64]]

FAR = 1 << 60  # more than any plan costs
MOVERS = 40  # of a large round, those who pay most are tried with everyone


@dataclass(frozen=True, kw_only=True)
class Placement:
    """A round to be seated: the people `members` at tables of these sizes; `odd[t]` where a table isn't the usual one.

    `price[m, t]` is what a seat at table t costs member m. Members are counted by their place in `members`, so are the
    `mates`, rows of two who are only moved together.
    """

    members: Numbers
    sizes: tuple[int, ...]
    odd: Flags
    price: Numbers
    mates: Numbers

    def by_lot(self, rng: np.random.Generator) -> Numbers:
        """Return a table for each member by lot, mates together; where there are mates all sizes are even."""
        alone = np.setdiff1d(np.arange(len(self.members)), self.mates)
        order = np.concatenate([rng.permutation(self.mates).ravel(), rng.permutation(alone)])
        tables = np.empty_like(order)
        tables[order] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return tables


class Exchange(NamedTuple):
    """Members who change places two by two, and by how much the plan's cost changes."""

    change: int
    members: tuple[tuple[int, int], ...]


NOTHING = Exchange(FAR, ())


class Seating:
    """A round whose members sit at `tables`; `weights` are costs of pairs of members, `prices` those of seats."""

    def __init__(self, sheet: Placement, tables: Numbers, weights: Numbers, prices: Numbers) -> None:
        self.tables = tables.copy()
        self.weights = weights
        self.mates = sheet.mates
        self.alone = np.setdiff1d(np.arange(len(tables)), sheet.mates)
        seats = np.zeros_like(prices, dtype=np.float64)
        seats[np.arange(len(tables)), tables] = 1
        # What each member would pay at each table as it is; exact, since the numbers are whole and below 2^53.
        self.bills = (weights.astype(np.float64) @ seats).astype(np.int64) + prices

    def cheapest(self, barred: Flags, *, below: int, dear: int, chances: Chances) -> Exchange:
        """The exchange that costs least, of equals one by lot. `barred[m, t]`: not there, unless it changes by less
        than `below`. Who now pays `dear` or more moves first."""
        single = self._single(barred, below, dear, chances)
        return min(single, self._double(barred, below, chances)) if len(self.mates) else single

    def leaving(self, exchange: Exchange) -> list[tuple[int, int]]:
        """Return each member who moves, with the table that he leaves."""
        return [(member, int(self.tables[member])) for pair in exchange.members for member in pair]

    def make(self, exchange: Exchange) -> None:
        """Do it."""
        for one, other in exchange.members:
            here, there = self.tables[one], self.tables[other]
            difference = self.weights[:, other] - self.weights[:, one]
            self.bills[:, here] += difference
            self.bills[:, there] -= difference
            self.tables[one], self.tables[other] = there, here

    def _single(self, barred: Flags, below: int, dear: int, chances: Chances) -> Exchange:
        """Return two members who are moved alone."""
        others = self.alone
        if len(others) < 2:
            return NOTHING
        paid = self.bills[np.arange(len(self.tables)), self.tables]
        movers = others[paid[others] >= dear]
        movers = movers if len(movers) else others
        if len(movers) > MOVERS:
            movers = movers[np.argsort(-paid[movers], kind="stable")[:MOVERS]]
        here, there = self.tables[movers], self.tables[others]
        change = self.bills[movers][:, there] + self.bills[others][:, here].T
        change -= 2 * self.weights[movers][:, others] + paid[movers][:, None] + paid[others][None]
        closed = barred[movers][:, there] | barred[others][:, here].T
        chosen = _least(change, closed & (change >= below) | (here[:, None] == there[None]), chances)
        if chosen is None:
            return NOTHING
        row, column = chosen
        return Exchange(int(change[row, column]), ((int(movers[row]), int(others[column])),))

    def _double(self, barred: Flags, below: int, chances: Chances) -> Exchange:
        """Return mates, and two of one table: mates as well, or two who are moved alone."""
        mates, twos = self.mates, np.concatenate([self.mates, self._neighbours()])
        here, there = self.tables[mates[:, 0]], self.tables[twos[:, 0]]
        moved, moving = self.bills[mates].sum(axis=1), self.bills[twos].sum(axis=1)
        change = moved[:, there] + moving[:, here].T
        change -= moved[np.arange(len(mates)), here][:, None] + moving[np.arange(len(twos)), there][None]
        change += 2 * (self.weights[mates[:, 0], mates[:, 1]][:, None] + self.weights[twos[:, 0], twos[:, 1]][None])
        for mate in mates.T:
            for two in twos.T:
                change -= 2 * self.weights[mate][:, two]
        closed = np.any(barred[mates], axis=1)[:, there] | np.any(barred[twos], axis=1)[:, here].T
        chosen = _least(change, closed & (change >= below) | (here[:, None] == there[None]), chances)
        if chosen is None:
            return NOTHING
        row, column = chosen
        pairs = tuple((int(one), int(other)) for one, other in zip(mates[row], twos[column], strict=True))
        return Exchange(int(change[row, column]), pairs)

    def _neighbours(self) -> Numbers:
        """Return each two of one table who are moved alone."""
        tables = self.tables[self.alone]
        one, other = np.nonzero(np.triu(tables[:, None] == tables[None], 1))
        return np.stack([self.alone[one], self.alone[other]], axis=1)


def _least(change: Numbers, closed: NDArray[Any], chances: Chances) -> tuple[int, int] | None:
    """Return where the least change is that isn't closed, one by lot of equals; None if all are."""
    open_ = np.where(closed, FAR, change)
    row, column = divmod(int(np.argmin(open_ + chances((change.shape[0], change.shape[1])))), change.shape[1])
    return None if open_[row, column] >= FAR else (row, column)
