"""The final ranks of a tournament: first by the finals, then by the ranking of the rounds before the finals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from league.models import Season, Tournament, TournamentRank
from league.models.prize import WHOLE_UNIT
from league.models.tournament import TournamentState
from league.tournaments.queries.finals import FinalsState, read_finals
from league.tournaments.queries.ranking import RankedUnit, current_ranking


class FinalRank(NamedTuple):
    """The final rank of a unit (player, pair or team), or of one player of a team.

    `row` is its row in the ranking of the rounds before the finals.
    """

    rank: int
    row: RankedUnit


def read_final_ranks(tournament: Tournament) -> list[FinalRank]:
    """Return the final ranks, in order. The tournament must have started."""
    return final_ranks(tournament, *current_ranking(tournament))


def unsaved_final_ranks(tournament: Tournament) -> list[TournamentRank]:
    """Return the final ranks as unsaved rows; [] if the tournament is not finished."""
    if tournament.state != TournamentState.FINISHED:
        return []
    ranks = read_final_ranks(tournament)
    return [
        TournamentRank(
            unit=final.row.unit,
            position=final.row.unit_player.position if final.row.unit_player else WHOLE_UNIT,
            tournament=tournament,
            rank=final.rank,
            score_halves=int(2 * final.row.score),
            competitors=len(ranks),
        )
        for final in ranks
    ]


def final_ranks(tournament: Tournament, season: Season, ranked: Sequence[RankedUnit]) -> list[FinalRank]:
    """Return the final ranks, in order. `ranked` is the ranking of the rounds before the finals.

    The first ranks come from the finals, as far as the finals are decided; the others come from the ranking. Without
    finals all ranks come from the ranking. One query without finals, else seven.
    """
    return rank_by_finals(read_finals(tournament, season), ranked)


def rank_by_finals(state: FinalsState | None, ranked: Sequence[RankedUnit]) -> list[FinalRank]:
    """Return the final ranks, in order: 1, 2, 3, 3, 5. `ranked` is the ranking of the rounds before the finals.

    Units that the finals rank come first; units (players, pairs or teams) with the same result share a rank. Other
    units follow in the order of the ranking.
    """
    rank_groups = state.rank_groups if state is not None else []
    if state is None or not rank_groups:
        return [FinalRank(row.rank, row) for row in ranked]
    row_of = {row.unit.pk: row for row in ranked}
    ranks: list[FinalRank] = []
    for group in rank_groups:
        rows = [row_of[state.units[seed].unit_id] for seed in group if state.units[seed].unit_id in row_of]
        rank = len(ranks) + 1
        ranks += [FinalRank(rank, row) for row in rows]
    ranked_by_finals = {row.row.unit.pk for row in ranks}
    other_rows = [row for row in ranked if row.unit.pk not in ranked_by_finals]
    for row in other_rows:
        better = sum(other_row.rank < row.rank for other_row in other_rows)
        ranks.append(FinalRank(len(ranked_by_finals) + better + 1, row))
    return ranks
