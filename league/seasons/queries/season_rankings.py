"""A season's ranking, computed from the facts by its rules."""

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
    """Return the season's rows by rank. Raise UnreadableRules if the stored rules are invalid."""
    return rank_seasons([season])[season.pk]


def rank_seasons(
    seasons: Collection[Season],
    until: date | None = None,
    rules: StandingsRules | None = None,
    seat_points: SeatPoints | None = None,
    tables: TableTrial | None = None,
    closed_evenings: Sequence[ClosedEvenings] = (),
) -> dict[int, list[RankingRow]]:
    """Return the rankings by season id; two queries, and one for each game that needs tables. Raise UnreadableRules.

    `until`: only evenings and adjustments up to this date. `rules`: instead of the season's. `seat_points`: instead of
    the stored points. `tables`: incomplete tables that count, too. `closed_evenings`: evenings that were already read.
    """
    return {
        pk: season_ranking(*facts)
        for pk, facts in season_facts(seasons, until, rules, seat_points, tables, closed_evenings).items()
    }
