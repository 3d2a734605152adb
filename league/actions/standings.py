"""Writing what is derived of seasons: standings, and the statistics of players; all of a season at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from league.models import PlayerStatistics, Standing
from league.results.deal_statistics import PlayerCounters, columns
from league.results.season_places import ARITHMETIC
from league.standings.places import Place
from players.derived_rows import Moved, replace


@transaction.atomic
def replace_standings(places: Mapping[int, Iterable[Place]]) -> Moved:
    """Make the standings of seasons, by their ids, these places; what changed is counted by season.

    Call it with the seasons locked, so that none of them is frozen meanwhile.
    """
    columns = Standing.columns(places, ARITHMETIC)
    return replace(Standing, {"season_id": list(places)}, columns, Standing.KEY)


@transaction.atomic
def replace_statistics(found: Mapping[int, Mapping[int, PlayerCounters]]) -> Moved:
    """Make the statistics of seasons, by their ids, what their deals count."""
    return replace(PlayerStatistics, {"season_id": list(found)}, columns(found), PlayerStatistics.KEY)
