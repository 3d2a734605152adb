"""Writing what is derived of seasons: standings, statistics of players, records; all of a season at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import transaction

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import PlayerStatistics, Season, SeasonRecord, Standing, versions
from league.standings.places import Place
from league.statistics.queries.counted_deals import counted_deals
from league.statistics.queries.deal_statistics import DealStatistics
from league.statistics.queries.deal_statistics import columns as statistics_columns
from league.statistics.queries.season_records import season_records
from players.derived_rows import Moved, replace


@transaction.atomic
def replace_standings(places: Mapping[int, Iterable[Place]]) -> Moved:
    """Make the standings of seasons, by their ids, these places; what changed is counted by season.

    Call it with the seasons locked, so that none of them is frozen meanwhile.
    """
    columns = Standing.columns(places, versions.STANDINGS)
    return replace(Standing, {"season_id": list(places)}, columns, Standing.KEY)


@transaction.atomic
def write_counted(seasons: Collection[Season], read: Sequence[ClosedEvenings] = ()) -> None:
    """Make statistics and records of seasons what follows from their closed evenings, as far as `read` already.

    Each deal is read once.
    """
    those = {"season_id": [season.pk for season in seasons]}
    statistics = DealStatistics(seasons)
    records = season_records(seasons, statistics.through(counted_deals(seasons)), read)
    replace(PlayerStatistics, those, statistics_columns(statistics.found), PlayerStatistics.KEY)
    replace(SeasonRecord, those, records, SeasonRecord.KEY)
