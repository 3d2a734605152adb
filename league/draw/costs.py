"""The costs of a draw's unfulfilled wishes, as whole numbers: the draw searches the seating with the lowest cost. No
Django.

Wishes in order; each weighs more than many of the next: a player's fixed table; separations (two players who must not
share a table); no pair of players meets twice on one evening; tables of an unusual size are distributed evenly over the
players (two and none, instead of one and one, cost a little less than a second meeting; three and none cost more); few
repeated meetings over the season, at a cost that grows with each meeting.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from league.draw.search import Costs
from league.draw.seat_exchanges import Numbers
from league.draw.sizes import usual_size
from league.draw.terms import Pair, Seating, Wishes

BROKEN_FIXED_TABLE_COST = 1_000_000_000
SEPARATION_COST = 10_000_000
REMEETING_COST = 10_000
UNUSUAL_TABLE_COST = 3_000
SEASON_MEETING_COST = 10  # multiplied by 1, 3, 6, 10 … for pairs who met 1, 2, 3, 4 … times in the season
SEASON_UNUSUAL_COST = 10  # for each earlier rest in the season
MAX_COUNTED_REPEATS = 10  # further meetings or rests cost nothing more


def pair_costs(players: Sequence[int], wishes: Wishes) -> Numbers:
    index = {player: index for index, player in enumerate(players)}
    costs = np.zeros((len(players), len(players)), dtype=np.int64)
    for (first, second), times in wishes.meetings.items():
        if first in index and second in index:
            capped = min(times, MAX_COUNTED_REPEATS)
            costs[index[first], index[second]] = SEASON_MEETING_COST * capped * (capped + 1) // 2
    for first, second in wishes.separations:
        if first in index and second in index:
            costs[index[first], index[second]] = SEPARATION_COST
    both: Numbers = np.maximum(costs, costs.T)
    return both


def count_shared_tables(players: Sequence[int], groups: Iterable[Iterable[int]]) -> Numbers:
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

    `couples` are partners who stay together. `sat_out` has the number of each player's rests and exemptions on the
    evening, in rounds that are already played or drawn.
    """
    usual = usual_size(wishes.sizes)
    tables = [table for seating in played for table in seating.tables]
    unusual = [player for table in tables if len(table) != usual for player in table]
    return Costs(
        pair=pair_costs(players, wishes),
        meetings=count_shared_tables(players, tables),
        kept_together=count_shared_tables(players, couples),
        remeeting=REMEETING_COST,
        unusual=0 if wishes.pairs else UNUSUAL_TABLE_COST,
        unusual_before=np.array([unusual.count(player) + sat_out.get(player, 0) for player in players], dtype=np.int64),
        unusual_each=np.array(
            [SEASON_UNUSUAL_COST * min(wishes.rests.get(player, 0), MAX_COUNTED_REPEATS) for player in players]
        ),
    )
