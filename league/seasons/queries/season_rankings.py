"""A season's ranking, computed from the facts by the season's own rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Season
from league.seasons.queries.house_rules_trial import SeatPoints, TableTrial
from league.seasons.queries.season_evenings import facts_of
from league.standings.ranking import RankingRow
from league.standings.rules import StandingsRules
from league.standings.season_ranking import season_ranking

# The versions of the standings' arithmetic, each with the digest of its answers for the seasons of its test.
# A change of any answer needs a new version, so that all standings are computed again.
ANSWERS: Final[Mapping[int, str]] = {
    2: "4a5d37cfdc40ea9c46a8559d6822aebbffe0e78585809275a41ed143cd8f77c2",
    3: "44c9400c3cafd83f9725107f52b3a5972d3d9473bcd9466c65d999701575a420",
}
ARITHMETIC: Final = max(ANSWERS)


def rank_season(season: Season) -> list[RankingRow]:
    """Raise UnreadableRules."""
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
        pk: season_ranking(*facts) for pk, facts in facts_of(seasons, until, rules, seat_points, tables, read).items()
    }
