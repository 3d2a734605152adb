"""Records of seasons by month, computed from the deals, tables and rankings of closed evenings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Season, SeasonRecord, versions
from league.statistics.queries.counted_deals import CountedDeal
from league.statistics.queries.deal_records import DealRecords
from league.statistics.queries.evening_records import evening_records
from players.columns import Columns, columns_of_rows


def season_records(
    seasons: Collection[Season], deals: Iterable[CountedDeal], closed_evenings: Sequence[ClosedEvenings] = ()
) -> Columns:
    """Return the columns for SeasonRecord.

    `deals` are the counted deals of the seasons, `closed_evenings` the closed evenings that were already read.
    """
    deal_records = {season.pk: DealRecords(season) for season in seasons}
    for deal in deals:
        deal_records[deal.evening.season_id].add(deal)
    rows = [row for season_deals in deal_records.values() for row in season_deals.rows()]
    rows += evening_records(seasons, closed_evenings)
    return columns_of_rows((*SeasonRecord.KEY, *SeasonRecord.DERIVED), [(*row, versions.STATISTICS) for row in rows])
