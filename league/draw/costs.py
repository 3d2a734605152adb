"""What the wishes weigh against each other, as whole numbers. Pure.

Each step is worth many of the next: somebody's only possible table; those who are to be kept apart; nobody met twice
tonight; odd tables shared tonight (two and none instead of one and one costs a little less than a meeting, three and
none more); few meetings again over the season, the more often two have met the worse.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from league.draw.moves import Numbers
from league.draw.search import Costs
from league.draw.sizes import usual_size
from league.draw.terms import Pair, Sitting, Wishes

FIXED = 1_000_000_000
APART = 10_000_000
AGAIN = 10_000
ODD = 3_000
SEASON = 10  # times 1, 3, 6, 10 … for those who met 1, 2, 3, 4 … times
SEASON_ODD = 10  # for each earlier rest or odd table
MOST = 10  # times that make a difference


def pair_costs(players: Sequence[int], wishes: Wishes) -> Numbers:
    """Return what it costs two of the players, by their places in the row, to be at one table."""
    index = {player: place for place, player in enumerate(players)}
    costs = np.zeros((len(players), len(players)), dtype=np.int64)
    for (one, other), times in wishes.met.items():
        if one in index and other in index:
            capped = min(times, MOST)
            costs[index[one], index[other]] = SEASON * capped * (capped + 1) // 2
    for one, other in wishes.apart:
        if one in index and other in index:
            costs[index[one], index[other]] = APART
    both: Numbers = np.maximum(costs, costs.T)
    return both


def meetings(players: Sequence[int], groups: Iterable[Iterable[int]]) -> Numbers:
    """Return how often two of the players are in one of the groups, by their places in the row."""
    index = {player: place for place, player in enumerate(players)}
    counts = np.zeros((len(players), len(players)), dtype=np.int64)
    for group in groups:
        places = [index[player] for player in group if player in index]
        counts[np.ix_(places, places)] += 1
    np.fill_diagonal(counts, 0)
    return counts


def evening_costs(
    players: Sequence[int],
    wishes: Wishes,
    played: Sequence[Sitting],
    *,
    couples: Iterable[Pair],
    sat_out: Mapping[int, int],
) -> Costs:
    """Return the costs of an evening of these players after the rounds that are played.

    `couples` are partners who stay together; `sat_out` is how often each player sits out tonight, in rounds that are
    played or drawn.
    """
    usual = usual_size(wishes.sizes)
    tables = [table for sitting in played for table in sitting.tables]
    odd = [player for table in tables if len(table) != usual for player in table]
    return Costs(
        pair=pair_costs(players, wishes),
        met=meetings(players, tables),
        free=meetings(players, couples),
        again=AGAIN,
        odd=0 if wishes.pairs else ODD,
        odd_before=np.array([odd.count(player) + sat_out.get(player, 0) for player in players], dtype=np.int64),
        odd_first=np.array([SEASON_ODD * min(wishes.rested.get(player, 0), MOST) for player in players]),
    )
