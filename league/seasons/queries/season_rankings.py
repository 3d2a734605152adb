"""A season's ranking, computed from the facts by the season's own rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Season
from league.seasons.queries.house_rules_trial import SeatPoints, TableTrial
from league.seasons.queries.season_evenings import season_facts
from league.standings.ranking import RankingRow
from league.standings.rules import StandingsRules
from league.standings.season_ranking import season_ranking


def rank_season(season: Season) -> list[RankingRow]:
    """Return the standings as of now, from the facts. Raise UnreadableRules if the stored rules are invalid."""
    return rank_seasons([season])[season.pk]


def rank_seasons(
    seasons: Collection[Season],
    until: date | None = None,
    rules: StandingsRules | None = None,
    seat_points: SeatPoints | None = None,
    tables: TableTrial | None = None,
    read: Sequence[ClosedEvenings] = (),
) -> dict[int, list[RankingRow]]:
    """Return the rankings of seasons by their ids; two queries, and one more for each game that needs tables.

    `until`: only evenings and adjustments up to this date. `rules`: try these rules. `seat_points`: replace the points
    of these seats. `tables`: count these tables. `read`: evenings that were read before. Raise UnreadableRules.
    """
    return {
        pk: season_ranking(*facts)
        for pk, facts in season_facts(seasons, until, rules, seat_points, tables, read).items()
    }
