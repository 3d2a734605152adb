"""Storing the final ranks of finished tournaments."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from league.models import Tournament, TournamentRank
from league.tournaments.queries.final_ranks import unsaved_final_ranks
from players.columns import columns_of_rows
from players.derived_rows import replace_rows


@transaction.atomic
def update_final_ranks(tournament_ids: Collection[int]) -> None:
    """Compute and store the final ranks of tournaments again. Ranks of tournaments that are not finished are deleted.

    Call it after each change of a finished tournament. After a correction of results, the worker that computes the
    standings calls it.
    """
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=tournament_ids)
    ranks = {row.pk: unsaved_final_ranks(row) for row in rows.order_by("pk")}
    ranked = [pk for pk, ranks_of_tournament in ranks.items() if ranks_of_tournament]
    TournamentRank.objects.filter(tournament__in=ranks.keys() - set(ranked)).delete()
    if ranked:
        names = (*TournamentRank.KEY, *TournamentRank.DERIVED)
        values = [[getattr(rank, name) for name in names] for pk in ranked for rank in ranks[pk]]
        replace_rows(TournamentRank, {"tournament_id": ranked}, columns_of_rows(names, values), TournamentRank.KEY)
