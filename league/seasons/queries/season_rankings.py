"""A season's ranking, computed from the results of its evenings by its standings rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Season
from league.seasons.queries.house_rules_trial import SeatPoints, TableTrial
from league.seasons.queries.season_evenings import standings_inputs
from league.standings.ranking import RankingRow
from league.standings.rules import StandingsRules
from league.standings.season_ranking import season_ranking


def rank_season(season: Season) -> list[RankingRow]:
    """Compute the season's ranking: a row for each player, by rank. Raise UnreadableRules if its rules are invalid."""
    return rank_seasons([season])[season.pk]


def rank_seasons(
    seasons: Collection[Season],
    until: date | None = None,
    rules: StandingsRules | None = None,
    seat_points: SeatPoints | None = None,
    tables: TableTrial | None = None,
    closed_evenings: Sequence[ClosedEvenings] = (),
) -> dict[int, list[RankingRow]]:
    """Compute the rankings of seasons, by season id. The arguments are those of `standings_inputs`.

    Two queries, and one more for each game whose seasons have rules that use single tables. Raise UnreadableRules if
    stored standings rules are invalid.
    """
    return {
        pk: season_ranking(*facts)
        for pk, facts in standings_inputs(seasons, until, rules, seat_points, tables, closed_evenings).items()
    }
