from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import transaction

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import PlayerStatistics, Season, SeasonRecord, Standing, versions
from league.standings.ranking import RankingRow
from league.statistics.queries.counted_deals import counted_deals
from league.statistics.queries.deal_statistics import DealStatistics
from league.statistics.queries.deal_statistics import statistics_columns as statistics_columns
from league.statistics.queries.season_records import season_records
from players.derived_rows import Replacement, replace_rows


@transaction.atomic
def replace_standings(rankings: Mapping[int, Iterable[RankingRow]]) -> Replacement:
    """Replace the stored standings of seasons; `rankings` maps the id of a season to its rows.

    Return the number of rows, and the number of changed rows by season. Call it with the seasons locked.
    """
    standing_columns = Standing.columns(rankings, versions.STANDINGS)
    return replace_rows(Standing, {"season_id": list(rankings)}, standing_columns, Standing.KEY)


@transaction.atomic
def write_statistics_and_records(seasons: Collection[Season], known_evenings: Sequence[ClosedEvenings] = ()) -> None:
    """Compute the statistics and records of these seasons again, and store them.

    `known_evenings` are closed evenings that the caller has read already; they are not read again.
    """
    condition = {"season_id": [season.pk for season in seasons]}
    statistics = DealStatistics(seasons)
    records = season_records(seasons, statistics.count_each(counted_deals(seasons)), known_evenings)
    replace_rows(PlayerStatistics, condition, statistics_columns(statistics.counters), PlayerStatistics.KEY)
    replace_rows(SeasonRecord, condition, records, SeasonRecord.KEY)
