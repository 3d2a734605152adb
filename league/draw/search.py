"""The search behind the draw: people change places between tables until nothing better is near.

Pure: people are the numbers 0 … n−1, tables those of their round, costs whole numbers. A tabu search: each step takes,
of all exchanges of two people in one round, the cheapest that does not undo a recent one, even if it makes the plan
worse; the best plan on the way is kept (Dotú and Van Hentenryck, Scheduling social golfers locally, 2005). It ends
after a number of steps that follows from the input, never by the clock, and its chances come from a seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from league.draw.moves import Numbers, Placement, Seating

STAY = 5  # steps in one round before the next one
OPENING = 40  # steps when a round is first seated
BARRED = 5  # to 9 steps for which nobody goes back to a table that he left
WARMTH = 0.5  # of a meeting again, at first: by how much a step may make the plan worse, on average
STEPS = 1200  # for each round, fewer for more than a hundred people, whose steps weigh more
CHANCES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What a plan of n people is judged by; the higher the dearer.

    `pair[i, j]`: each time at one table. `again` is what the second meeting tonight costs, the third twice, and so on;
    `met[i, j]` were earlier. Where `free[i, j]`, neither counts: partners who stay together. `odd` times the square of
    a person's odd tables tonight, `odd_before[i]` included; and `odd_first[i]` for each.
    """

    pair: Numbers
    met: Numbers
    free: Numbers
    again: int
    odd: int
    odd_before: Numbers
    odd_first: Numbers


class Search:
    """Seats the rounds of an evening. `best` are the tables by round and member of the cheapest plan so far."""

    def __init__(
        self, costs: Costs, sheets: Sequence[Placement], rng: np.random.Generator, *, steps: int = STEPS
    ) -> None:
        self.steps = steps
        self.costs = costs
        self.sheets = sheets
        self.rng = rng
        self.unpriced = (costs.free > 0) | np.eye(len(costs.free), dtype=np.bool_)
        self.chances = rng.random(CHANCES)
        self.counts = costs.met.copy()  # meetings tonight, by pair
        self.odds = costs.odd_before.copy()  # odd tables tonight, by person
        self.tables: list[Numbers] = []
        self.barred = [np.zeros_like(sheet.price) for sheet in sheets]  # the step until which a table is barred
        self.step = 0
        self.warmth = 0.0
        self.cost = self.lowest = 0
        self.best: list[Numbers] = []

    def run(self, starts: Sequence[Numbers | None]) -> list[Numbers]:
        """Return the tables of each round's members. A start is a round's first tables, or None: by lot."""
        for number, start in enumerate(starts):
            self._open(number, start)
        self.cost = self._total()
        self._keep(len(self.sheets) - 1, self.tables[-1])
        heaviest = max(len(sheet.members) for sheet in self.sheets)
        first = self.step
        budget = first + len(self.sheets) * min(self.steps, self.steps * 100 // heaviest)
        floor = self._floor()
        number = 0
        while self.step < budget and self.lowest > floor:
            self.warmth = self.costs.again * WARMTH * (budget - self.step) / (budget - first)
            self._visit(number, STAY)
            number = (number + 1) % len(self.sheets)
        return self.best

    def _open(self, number: int, start: Numbers | None) -> None:
        """Seat a round for the first time: as given, or by lot and then what is better nearby."""
        self.tables.append(self.sheets[number].by_lot(self.rng) if start is None else start.copy())
        self._count(number, 1)
        self.cost = self._total()
        if start is None:
            self._keep(number, self.tables[number])
            self._visit(number, OPENING)
            self._count(number, -1)
            self.tables[number] = self.best[number].copy()
            self._count(number, 1)

    def _visit(self, number: int, steps: int) -> None:
        """Go some steps in one round, the others standing."""
        sheet, barred = self.sheets[number], self.barred[number]
        self._count(number, -1)
        seating = Seating(sheet, self.tables[number], self._weights(sheet.members), self._prices(sheet))
        for _ in range(steps):
            self.step += 1
            exchange = seating.cheapest(
                barred > self.step, below=self.lowest - self.cost, dear=self.costs.again, chances=self._chances
            )
            if exchange.change > self._patience():
                break
            for person, table in seating.leaving(exchange):
                barred[person, table] = self.step + BARRED + self.step * 7 % BARRED
            seating.make(exchange)
            self.cost += exchange.change
            if self.cost < self.lowest:
                self._keep(number, seating.tables)
        self.tables[number] = seating.tables
        self._count(number, 1)

    def _chances(self, shape: tuple[int, int]) -> NDArray[np.float64]:
        """Return numbers below one that decide between equals, others at each step."""
        first = self.step * 7919 % CHANCES
        wanted = np.arange(first, first + shape[0] * shape[1]) % CHANCES
        return self.chances[wanted].reshape(shape)

    def _patience(self) -> float:
        """Return by how much this step may make the plan worse: seldom by much."""
        return self.warmth * -float(np.log1p(-self.chances[self.step * 31 % CHANCES]))

    def _keep(self, number: int, tables: Numbers) -> None:
        self.lowest = self.cost
        self.best = [each.copy() for each in self.tables]
        self.best[number] = tables.copy()

    def _count(self, number: int, sign: int) -> None:
        """Add a round's meetings and odd tables to what is counted, or take them away."""
        sheet, tables = self.sheets[number], self.tables[number]
        together = tables[:, None] == tables[None]
        np.fill_diagonal(together, False)
        self.counts[np.ix_(sheet.members, sheet.members)] += sign * together
        self.odds[sheet.members[sheet.odd[tables]]] += sign

    def _weights(self, members: Numbers) -> Numbers:
        """Return what it costs members of a round to sit together in it, by pair."""
        weights = self.costs.pair + self.costs.again * self.counts
        weights[self.unpriced] = 0
        return np.asarray(weights[members][:, members], dtype=np.int64)

    def _prices(self, sheet: Placement) -> Numbers:
        """Return what it costs each member to sit at each table."""
        another = self.costs.odd * (2 * self.odds[sheet.members] + 1) + self.costs.odd_first[sheet.members]
        return np.asarray(sheet.price + another[:, None] * sheet.odd[None], dtype=np.int64)

    def _total(self) -> int:
        """Return the cost of what is seated."""
        costs, counts = self.costs, self.counts
        counted = np.triu(~self.unpriced, 1)
        pairs = costs.again * counts * (counts - 1) // 2 + costs.pair * (counts - costs.met)
        odd = costs.odd * self.odds**2 + costs.odd_first * (self.odds - costs.odd_before)
        seats = sum(
            int(sheet.price[np.arange(len(tables)), tables].sum())
            for sheet, tables in zip(self.sheets, self.tables, strict=False)
        )
        return int(pairs[counted].sum()) + int(odd.sum()) + seats

    def _floor(self) -> int:
        """Return a cost that no plan is below: odd tables shared as evenly as they can be, and what was met before."""
        odds = np.sort(self.costs.odd_before)
        for _ in range(int(self.odds.sum() - odds.sum())):
            odds[int(np.argmin(odds))] += 1
        met = np.triu(np.where(self.costs.free > 0, 0, self.costs.met), 1)
        return int(self.costs.odd * (odds**2).sum() + self.costs.again * (met * (met - 1) // 2).sum())
