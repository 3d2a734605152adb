"""The costs of a draw's unfulfilled wishes, as whole numbers: the draw searches the seating with the lowest cost. No
Django.

The wishes, most important first. A wish that is not fulfilled costs more than many of the next kind:

1. A player sits at the fixed table.
2. Two players who must not share a table (a separation) do not share one.
3. No two players meet twice on one evening.
4. Tables of an unusual size are distributed evenly over the players. If one player has two such tables and another has
   none, this costs a little less than a second meeting; with three and none it costs more.
5. Two players meet seldom over the season; the cost grows with each meeting.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from league.draw.draw_types import Pair, Seating, Wishes
from league.draw.search import Costs
from league.draw.seat_exchanges import Numbers
from league.draw.sizes import usual_size

BROKEN_FIXED_TABLE_COST = 1_000_000_000
SEPARATION_COST = 10_000_000
REMEETING_COST = 10_000
UNUSUAL_TABLE_COST = 3_000
SEASON_MEETING_COST = 10  # multiplied by 1, 3, 6, 10 … for pairs who met 1, 2, 3, 4 … times on other evenings
SEASON_UNUSUAL_COST = 10  # of an unusual table, for each rest of the player on other evenings (`Wishes.rests`)
MAX_COUNTED_REPEATS = 10  # further meetings or rests of the season cost nothing more


def pair_costs(players: Sequence[int], wishes: Wishes) -> Numbers:
    """Return the cost of each two players at one table, as a symmetric matrix by index in `players`.

    Separations and meetings on the season's other evenings have costs; meetings of this evening are not included.
    """
    index = {player: index for index, player in enumerate(players)}
    costs = np.zeros((len(players), len(players)), dtype=np.int64)
    for (first, second), times in wishes.meetings.items():
        if first in index and second in index:
            capped = min(times, MAX_COUNTED_REPEATS)
            costs[index[first], index[second]] = SEASON_MEETING_COST * capped * (capped + 1) // 2
    for first, second in wishes.separations:
        if first in index and second in index:
            costs[index[first], index[second]] = SEPARATION_COST
    symmetric_costs: Numbers = np.maximum(costs, costs.T)
    return symmetric_costs


def count_shared_tables(players: Sequence[int], groups: Iterable[Iterable[int]]) -> Numbers:
    """Return, for each two players, the number of groups with both of them, as a matrix by index in `players`."""
    index = {player: index for index, player in enumerate(players)}
    counts = np.zeros((len(players), len(players)), dtype=np.int64)
    for group in groups:
        indexes = [index[player] for player in group if player in index]
        counts[np.ix_(indexes, indexes)] += 1
    np.fill_diagonal(counts, 0)
    return counts


def evening_costs(
    players: Sequence[int],
    wishes: Wishes,
    played: Sequence[Seating],
    *,
    couples: Iterable[Pair],
    sat_out: Mapping[int, int],
) -> Costs:
    """Return the costs that the search for the remaining rounds of an evening uses.

    `played` are the rounds that are already played. `couples` are partners who stay together. `sat_out` has the number
    of each player's rests and exemptions on the evening, in played and in drawn rounds.
    """
    usual = usual_size(wishes.sizes)
    tables = [table for seating in played for table in seating.tables]
    unusual_seats = [player for table in tables if len(table) != usual for player in table]
    return Costs(
        pair_costs=pair_costs(players, wishes),
        meetings=count_shared_tables(players, tables),
        kept_together=count_shared_tables(players, couples),
        remeeting_cost=REMEETING_COST,
        unusual_table_cost=0 if wishes.has_pairs else UNUSUAL_TABLE_COST,
        earlier_unusual_counts=np.array(
            [unusual_seats.count(player) + sat_out.get(player, 0) for player in players], dtype=np.int64
        ),
        season_unusual_costs=np.array(
            [SEASON_UNUSUAL_COST * min(wishes.rests.get(player, 0), MAX_COUNTED_REPEATS) for player in players]
        ),
    )
