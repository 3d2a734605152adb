"""The final ranks of a tournament: by the finals, then by the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from league.models import Season, Tournament
from league.tournaments.queries.finals import FinalsState, read_finals
from league.tournaments.queries.ranking import RankedUnit


class FinalRank(NamedTuple):
    """A competitor's rank after the finals; `row` is its row of the ranking."""

    rank: int
    row: RankedUnit


def final_ranks(tournament: Tournament, season: Season, ranked: Sequence[RankedUnit]) -> list[FinalRank]:
    """Return the ranks in order; `ranked` is the result of `ranking`. Without finals they are its own ranks.

    The first ranks come from the finals as far as they are decided, all others from the ranking. One query without
    finals, else seven.
    """
    return rank_by_finals(read_finals(tournament, season), ranked)


def rank_by_finals(state: FinalsState | None, ranked: Sequence[RankedUnit]) -> list[FinalRank]:
    """Return the rows by rank: the places of the finals, then the other rows in order of the ranking, as 1, 2, 3, 3, 5.

    Units that share a place share its rank.
    """
    places = state.places if state is not None else []
    if state is None or not places:
        return [FinalRank(row.rank, row) for row in ranked]
    row_of = {row.unit.pk: row for row in ranked}
    ranks: list[FinalRank] = []
    for group in places:
        rows = [row_of[state.units[seed].unit_id] for seed in group if state.units[seed].unit_id in row_of]
        rank = len(ranks) + 1
        ranks += [FinalRank(rank, row) for row in rows]
    placed = {row.row.unit.pk for row in ranks}
    unplaced = [row for row in ranked if row.unit.pk not in placed]
    for row in unplaced:
        better = sum(other_row.rank < row.rank for other_row in unplaced)
        ranks.append(FinalRank(len(placed) + better + 1, row))
    return ranks
