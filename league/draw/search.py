"""The tabu search of the draw. No Django; people are the numbers 0 … n−1, costs are integers.

Each step makes the cheapest exchange of people in one round that does not undo a recent exchange, even if the plan
becomes a little worse: an exchange swaps two people, or two couples. The result is the best plan of all steps (Dotú and
Van Hentenryck, Scheduling social golfers locally, 2005). The number of steps depends only on the input, not on time,
and random numbers come from a seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from league.draw.seat_exchanges import Numbers, SeatedRound, UnseatedRound

STEPS_PER_VISIT = 5  # steps in one round before the search goes to the next round
INITIAL_SEATING_STEPS = 40  # steps in a round after its first random seating
BARRED_STEPS = 5  # for 5 to 9 steps a person may not return to a table
INITIAL_TOLERANCE = 0.5  # mean increase of cost that a step may cause at first, as a multiple of `remeeting_cost`
STEPS_PER_ROUND = 1200  # for each round; fewer for more than a hundred people, because then a step takes longer
RANDOM_NUMBER_COUNT = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Costs:
    """The costs of a plan of n people. An unusual table is a table that does not have the usual size.

    - `pair_costs[i, j]`: cost for each table that i and j share.
    - `remeeting_cost`: cost if a pair meets a second time on the evening; the third time costs twice as much, and so
      on. `meetings[i, j]` is the number of meetings in rounds already played.
    - `kept_together[i, j]`: not 0 for partners who stay together; sharing a table costs them nothing.
    - `unusual_table_cost`: multiplied by the square of a person's number of unusual tables on the evening. This number
      includes `earlier_unusual_counts[i]`, which also counts rests, from rounds already played or drawn.
    - `season_unusual_costs[i]`: added for each unusual table of person i, because of other evenings.
    """

    pair_costs: Numbers
    meetings: Numbers
    kept_together: Numbers
    remeeting_cost: int
    unusual_table_cost: int
    earlier_unusual_counts: Numbers
    season_unusual_costs: Numbers


class Search:
    """The search for the cheapest plan of an evening: a table for each player in each round.

    `best_tables` is the cheapest plan so far: for each round, the table of each member (player of the round).
    """

    def __init__(
        self, costs: Costs, rounds: Sequence[UnseatedRound], rng: np.random.Generator, *, steps: int = STEPS_PER_ROUND
    ) -> None:
        self.steps = steps
        self.costs = costs
        self.rounds = rounds
        self.rng = rng
        self.costless_pairs = (costs.kept_together > 0) | np.eye(len(costs.kept_together), dtype=np.bool_)
        self.random_numbers = rng.random(RANDOM_NUMBER_COUNT)
        self.meeting_counts = costs.meetings.copy()  # meetings tonight, by pair
        self.unusual_counts = costs.earlier_unusual_counts.copy()  # unusual tables tonight, by person
        self.tables: list[Numbers] = []
        # The step until which a table is barred, by member and table.
        self.barred_until = [np.zeros_like(unseated.seat_costs) for unseated in rounds]
        self.step = 0
        self.tolerance = 0.0
        self.cost = self.lowest_cost = 0
        self.best_tables: list[Numbers] = []

    def find_cheapest_plan(self, starts: Sequence[Numbers | None]) -> list[Numbers]:
        """Return the cheapest plan that the search finds: for each round, the table of each member.

        `starts` has for each round the table of each member to begin with, or None for random tables.
        """
        for number, start in enumerate(starts):
            self._seat_first_time(number, start)
        self.cost = self._total_cost()
        self._store_best(len(self.rounds) - 1, self.tables[-1])
        heaviest = max(len(unseated.members) for unseated in self.rounds)
        first = self.step
        budget = first + len(self.rounds) * min(self.steps, self.steps * 100 // heaviest)
        lower_bound = self._lower_bound()
        number = 0
        while self.step < budget and self.lowest_cost > lower_bound:
            self.tolerance = self.costs.remeeting_cost * INITIAL_TOLERANCE * (budget - self.step) / (budget - first)
            self._improve_round(number, STEPS_PER_VISIT)
            number = (number + 1) % len(self.rounds)
        return self.best_tables

    def _seat_first_time(self, number: int, start: Numbers | None) -> None:
        self.tables.append(self.rounds[number].draw_tables(self.rng) if start is None else start.copy())
        self._add_to_counts(number, 1)
        self.cost = self._total_cost()
        if start is None:
            self._store_best(number, self.tables[number])
            self._improve_round(number, INITIAL_SEATING_STEPS)
            self._add_to_counts(number, -1)
            self.tables[number] = self.best_tables[number].copy()
            self._add_to_counts(number, 1)

    def _improve_round(self, number: int, steps: int) -> None:
        unseated, barred = self.rounds[number], self.barred_until[number]
        self._add_to_counts(number, -1)
        state = SeatedRound(
            unseated, self.tables[number], self._pair_costs(unseated.members), self._seat_costs(unseated)
        )
        for _ in range(steps):
            self.step += 1
            exchange = state.cheapest_exchange(
                barred > self.step,
                limit=self.lowest_cost - self.cost,
                high_cost=self.costs.remeeting_cost,
                tie_breaks=self._tie_breaks,
            )
            if exchange.change > self._allowed_increase():
                break
            for person, table in state.vacated_tables(exchange):
                barred[person, table] = self.step + BARRED_STEPS + self.step * 7 % BARRED_STEPS
            state.apply_exchange(exchange)
            self.cost += exchange.change
            if self.cost < self.lowest_cost:
                self._store_best(number, state.tables)
        self.tables[number] = state.tables
        self._add_to_counts(number, 1)

    def _tie_breaks(self, shape: tuple[int, int]) -> NDArray[np.float64]:
        first = self.step * 7919 % RANDOM_NUMBER_COUNT
        indexes = np.arange(first, first + shape[0] * shape[1]) % RANDOM_NUMBER_COUNT
        return self.random_numbers[indexes].reshape(shape)

    def _allowed_increase(self) -> float:
        """Return the increase of the cost that the next step may cause: random, exponential with mean `tolerance`."""
        return self.tolerance * -float(np.log1p(-self.random_numbers[self.step * 31 % RANDOM_NUMBER_COUNT]))

    def _store_best(self, number: int, tables: Numbers) -> None:
        self.lowest_cost = self.cost
        self.best_tables = [tables_.copy() for tables_ in self.tables]
        self.best_tables[number] = tables.copy()

    def _add_to_counts(self, number: int, sign: int) -> None:
        """Add a round to `meeting_counts` (pairs of people at one table) and `unusual_counts` (people at tables of
        unusual size).

        `number` is the index of the round; `sign` is 1 to add, −1 to subtract.
        """
        unseated, tables = self.rounds[number], self.tables[number]
        together = tables[:, None] == tables[None]
        np.fill_diagonal(together, False)
        self.meeting_counts[np.ix_(unseated.members, unseated.members)] += sign * together
        self.unusual_counts[unseated.members[unseated.unusual_size_flags[tables]]] += sign

    def _pair_costs(self, members: Numbers) -> Numbers:
        pair_costs = self.costs.pair_costs + self.costs.remeeting_cost * self.meeting_counts
        pair_costs[self.costless_pairs] = 0
        return np.asarray(pair_costs[members][:, members], dtype=np.int64)

    def _seat_costs(self, unseated: UnseatedRound) -> Numbers:
        unusual_costs = (
            self.costs.unusual_table_cost * (2 * self.unusual_counts[unseated.members] + 1)
            + self.costs.season_unusual_costs[unseated.members]
        )
        return np.asarray(
            unseated.seat_costs + unusual_costs[:, None] * unseated.unusual_size_flags[None], dtype=np.int64
        )

    def _total_cost(self) -> int:
        costs, counts = self.costs, self.meeting_counts
        pairs_once = np.triu(~self.costless_pairs, 1)
        pairs = costs.remeeting_cost * counts * (counts - 1) // 2 + costs.pair_costs * (counts - costs.meetings)
        unusual = costs.unusual_table_cost * self.unusual_counts**2 + costs.season_unusual_costs * (
            self.unusual_counts - costs.earlier_unusual_counts
        )
        seats = sum(
            int(unseated.seat_costs[np.arange(len(tables)), tables].sum())
            for unseated, tables in zip(self.rounds, self.tables, strict=False)
        )
        return int(pairs[pairs_once].sum()) + int(unusual.sum()) + seats

    def _lower_bound(self) -> int:
        """Return a number that is not above the cost of any plan.

        It is the cost of unusual tables if they are distributed evenly, and of the repeated meetings in rounds already
        played.
        """
        counts = np.sort(self.costs.earlier_unusual_counts)
        for _ in range(int(self.unusual_counts.sum() - counts.sum())):
            counts[int(np.argmin(counts))] += 1
        meetings = np.triu(np.where(self.costs.kept_together > 0, 0, self.costs.meetings), 1)
        return int(
            self.costs.unusual_table_cost * (counts**2).sum()
            + self.costs.remeeting_cost * (meetings * (meetings - 1) // 2).sum()
        )
