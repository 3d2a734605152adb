"""The final ranks of a tournament: first those of the finals, then those of the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from league.models import Tournament
from league.tournaments.queries.ranking import RankedUnit


class FinalRank(NamedTuple):
    """A competitor's rank after the finals; `row` is its row of the ranking."""

    rank: int
    row: RankedUnit


def final_ranks(tournament: Tournament, ranked: Sequence[RankedUnit]) -> list[FinalRank]:
    """Return the ranks in order; `ranked` is the result of `ranking`. Without finals they are its own ranks.

    Ranks 1 to 4 come from the finals as far as they are decided, all others from the ranking.
    """
    return [FinalRank(row.rank, row) for row in ranked]
